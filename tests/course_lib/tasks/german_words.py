"""The words and endings that the checker of German knows. Source: Duden, *Die Grammatik*."""

CASES = "nadg"  # nominative, accusative, dative, genitive
# nominative genitive plural ("-": none); a weak noun has its genitive in all cases but one
MASCULINE = """
    Mann Mannes Männer; Junge *Jungen Jungen; Vater Vaters Väter; Großvater Großvaters Großväter; König Königs Könige;
    Prinz *Prinzen Prinzen; Ritter Ritters Ritter; Feuerwehrmann Feuerwehrmannes Feuerwehrmänner; Polizist *Polizisten
    Polizisten; Fischer Fischers Fischer; Hund Hundes Hunde; Bär *Bären Bären; Löwe *Löwen Löwen; Affe *Affen Affen;
    Elefant *Elefanten Elefanten; Fuchs Fuchses Füchse; Wolf Wolfes Wölfe; Frosch Frosches Frösche; Igel Igels Igel;
    Apfel Apfels Äpfel; Kuchen Kuchens Kuchen; Tee Tees -; Saft Saftes -; Hut Hutes Hüte; Mantel Mantels Mäntel; Schal
    Schals Schals; Brief Briefes Briefe; Ball Balles Bälle; Korb Korbes Körbe; Schlüssel Schlüssels Schlüssel; Stein
    Steines Steine; Koffer Koffers Koffer; Schrank Schrankes Schränke; Wagen Wagens Wagen; Zug Zuges Züge; Garten
    Gartens Gärten; Park Parks Parks; Wald Waldes Wälder; Zoo Zoos Zoos; Tisch Tisches Tische; Hügel Hügels Hügel; See
    Sees Seen; Fluss Flusses Flüsse; Strand Strandes Strände; Bahnhof Bahnhofs Bahnhöfe; Baum Baumes Bäume; Turm
    Turmes Türme; Zaun Zaunes Zäune; Montag - -; Dienstag - -; Mittwoch - -; Donnerstag - -; Freitag - -; Samstag - -;
    Sonntag - -; Morgen - -; Abend - -; Sommer - -; Winter - -; Frühling - -; Herbst - -"""
FEMININE = """
    Frau Frauen; Mutter Mütter; Großmutter Großmütter; Königin Königinnen; Prinzessin Prinzessinnen; Hexe Hexen;
    Polizistin Polizistinnen; Kellnerin Kellnerinnen; Katze Katzen; Kuh Kühe; Ente Enten; Gans Gänse; Maus Mäuse;
    Schildkröte Schildkröten; Birne Birnen; Wurst Würste; Karotte Karotten; Tomate Tomaten; Milch -; Jacke Jacken;
    Mütze Mützen; Zeitung Zeitungen; Puppe Puppen; Tasche Taschen; Flasche Flaschen; Tasse Tassen; Blume Blumen;
    Gitarre Gitarren; Kerze Kerzen; Decke Decken; Kiste Kisten; Tür Türen; Kirche Kirchen; Küche Küchen; Stadt Städte;
    Brücke Brücken; Straße Straßen; Wiese Wiesen; Insel Inseln; Bühne Bühnen; Nacht -"""
NEUTER = """
    Mädchen Mädchens Mädchen; Kind Kindes Kinder; Baby Babys Babys; Pferd Pferdes Pferde; Schwein Schweines Schweine;
    Kaninchen Kaninchens Kaninchen; Ei Eies Eier; Wasser Wassers -; Kleid Kleides Kleider; Hemd Hemdes Hemden; Buch
    Buches Bücher; Gedicht Gedichtes Gedichte; Geschenk Geschenkes Geschenke; Bild Bildes Bilder; Fenster Fensters
    Fenster; Tor Tores Tore; Auto Autos Autos; Fahrrad Fahrrades Fahrräder; Haus Hauses Häuser; Schloss Schlosses
    Schlösser; Zelt Zeltes Zelte; Museum Museums Museen; Zimmer Zimmers Zimmer; Dach Daches Dächer; Bett
    Bettes Betten"""
ADJECTIVES = """
    groß klein alt jung neu hoh lang kurz seltsam lustig hungrig durstig müd glücklich traurig mutig klug faul stark
    wütend krank reich arm freundlich höflich stolz frisch reif saur süß kalt heiß teur billig sauber schmutzig nass
    schwer kaputt leicht schön dunkl still berühmt einsam rot blau grün gelb schwarz weiß braun grau"""
UNDECLINED = {"rosa", "lila"}
WEAK, MIXED, STRONG = "weak", "mixed", "strong"
# masculine / feminine / neuter / plural, each in four cases
DETERMINERS = {
    WEAK: [
        "der den dem des/die die der der/das das dem des/die die den der",
        "dieser diesen diesem dieses/diese diese dieser dieser/dieses dieses diesem dieses/diese diese diesen dieser",
        "jeder jeden jedem jedes/jede jede jeder jeder/jedes jedes jedem jedes/- - - -",
        "- - - -/- - - -/- - - -/alle alle allen aller",
    ],
    MIXED: [
        "ein einen einem eines/eine eine einer einer/ein ein einem eines/- - - -",
        "kein keinen keinem keines/keine keine keiner keiner/kein kein keinem keines/keine keine keinen keiner",
        "sein seinen seinem seines/seine seine seiner seiner/sein sein seinem seines/seine seine seinen seiner",
        "ihr ihren ihrem ihres/ihre ihre ihrer ihrer/ihr ihr ihrem ihres/ihre ihre ihren ihrer",
    ],
    STRONG: [
        "- - - -/- - - -/- - - -/viele viele vielen vieler",
        "- - - -/- - - -/- - - -/einige einige einigen einiger",
        *("- - - -/- - - -/- - - -/" + " ".join([number] * 4) for number in ("zwei", "drei", "vier", "fünf")),
    ],
}
ENDINGS = {
    WEAK: "e en en en/e e en en/e e en en/en en en en",
    MIXED: "er en en en/e e en en/es es en en/en en en en",
    STRONG: "er en em en/e e er er/es es em en/e e en er",
}
MELTED = {
    "im": ("in", "dem"),
    "am": ("an", "dem"),
    "vom": ("von", "dem"),
    "zum": ("zu", "dem"),
    "zur": ("zu", "der"),
    "ins": ("in", "das"),
    "ans": ("an", "das"),
}
WHEN = """
    Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Morgen Abend Nacht Sommer Winter Frühling Herbst"""
ALWAYS = {"durch": "a", "um": "a", "über": "a", "mit": "d", "von": "d", "zu": "d", "aus": "d"}
EITHER = {"in", "auf", "an", "hinter", "unter", "vor", "neben"}  # where: dative; where to: accusative
WHERE_TO = {"laufen", "klettern", "kriechen", "springen", "gehen", "fahren"}
WITH_ACCUSATIVE = {("warten", "auf"), ("denken", "an")}
# infinitive third-person-singular cases of its objects; "|" after a prefix that separates
VERBS = """
    schlafen schläft; spielen spielt; gähnen gähnt; träumen träumt; warten wartet; aus|ruhen ruht; auf|wachen wacht;
    verstecken versteckt; sitzen sitzt; stehen steht; liegen liegt; um|fallen fällt; lachen lacht; weinen weint;
    tanzen tanzt; singen singt; arbeiten arbeitet; lächeln lächelt; auf|stehen steht; hin|setzen setzt; beeilen
    beeilt; fern|sehen sieht; laufen läuft; klettern klettert; kriechen kriecht; springen springt; gehen geht; fahren
    fährt; essen isst a; trinken trinkt a; schneiden schneidet a; lesen liest a; schreiben schreibt a; vor|lesen liest
    a; tragen trägt a; an|ziehen zieht a; aus|ziehen zieht a; auf|heben hebt a; weg|werfen wirft a; mit|bringen bringt
    a; kaufen kauft a; verkaufen verkauft a; stehlen stiehlt a; auf|machen macht a; zu|machen macht a; schieben
    schiebt a; ziehen zieht a; waschen wäscht a; reparieren repariert a; zeichnen zeichnet a; malen malt a; an|sehen
    sieht a; füttern füttert a; streicheln streichelt a; fangen fängt a; jagen jagt a; beißen beißt a; küssen küsst a;
    umarmen umarmt a; ein|laden lädt a; an|rufen ruft a; helfen hilft d; danken dankt d; zu|hören hört d; folgen folgt
    d; geben gibt da; zeigen zeigt da; schicken schickt da; denken denkt; sprechen spricht; kümmern kümmert; sein ist"""
MODALS = dict(will="wollen", kann="können", muss="müssen", darf="dürfen", sollte="sollten")
CONJUNCTIONS = {"weil", "während", "obwohl", "wenn"}
WEATHER = {"es regnet", "es schneit", "die Sonne scheint"}
PRONOUNS = {"er": "s", "es": "s", "sie": "sp"}


def _rows(table):
    return [row.split() for row in table.split(";")]


def _noun_forms():
    """form → {(gender or p, case)}"""
    forms = {}

    def add(form, kind, case):
        if form != "-":
            forms.setdefault(form, set()).add((kind, case))

    plurals = []
    for nominative, genitive, plural in _rows(MASCULINE) + _rows(NEUTER):
        kind = "m" if f"{nominative} {genitive} {plural}" in " ".join(MASCULINE.split()) else "n"
        weak = genitive.startswith("*")
        for case in CASES:
            oblique = genitive[1:] if weak else genitive if case == "g" else nominative
            add(nominative if case == "n" else oblique, kind, case)
        plurals.append(plural)
    for nominative, plural in _rows(FEMININE):
        for case in CASES:
            add(nominative, "f", case)
        plurals.append(plural)
    for plural in plurals:
        for case in CASES:
            add(plural + "n" if case == "d" and plural[-1] not in "ns-" else plural, "p", case)
    return forms


def _paradigm(table):
    return {
        (kind, case): form
        for kind, forms in zip("mfnp", table.split("/"), strict=True)
        for case, form in zip(CASES, forms.split(), strict=True)
    }


NOUNS = _noun_forms()
DETERMINER_FORMS = {}
for declension, tables in DETERMINERS.items():
    for table in tables:
        for where, form in _paradigm(table).items():
            if form != "-":
                DETERMINER_FORMS.setdefault(form, []).append((declension, where))
LEMMAS, CASES_OF = {}, {}
for infinitive, third, *asked in _rows(VERBS):
    prefix, _, stem = infinitive.rpartition("|")
    CASES_OF[prefix + stem] = asked[0] if asked else ""
    for form, number in ((third, "s"), (stem, "p")):
        LEMMAS.setdefault(form, []).append((stem, prefix, number))
        if prefix:
            LEMMAS.setdefault(prefix + form, []).append((stem, prefix, number))
LEMMAS["sind"] = [("sein", "", "p")]


ADJECTIVE_FORMS = {stem + ending: ending for stem in ADJECTIVES.split() for ending in ("e", "en", "er", "es", "em")}
ADJECTIVE_FORMS |= dict.fromkeys(UNDECLINED)
ENDING_OF = {declension: _paradigm(table) for declension, table in ENDINGS.items()}
DETERMINERS_OF_THE = _paradigm(DETERMINERS[WEAK][0])
