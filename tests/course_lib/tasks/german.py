"""A checker of German, written from a grammar book and a dictionary, and not from the tables of the caption language.

It reads a sentence from left to right, knows of each noun its gender and forms, of each verb the cases that it asks
for, and of each preposition its case; and says what does not agree. Source: Duden, *Die Grammatik*.
"""

from functools import cache
from itertools import product

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


class Disagreement(AssertionError):
    """What does not agree, and where."""


def noun_phrase(words):
    """The readings {(gender or p, case)} of a noun phrase at the beginning of the words, and its length; or None."""
    end = at = 1 if words and words[0] in DETERMINER_FORMS else 0
    while end < len(words) and words[end] in ADJECTIVE_FORMS:
        end += 1
    if end == len(words) or words[end] not in NOUNS:
        return None
    return _readings(tuple(words[: end + 1]), at, end), end + 1


@cache
def _readings(words, at, end):
    options = DETERMINER_FORMS[words[0]] if at else [(STRONG, where) for where in product("mfnp", CASES)]
    readings = set()
    for declension, where in options:
        ending = ENDING_OF[declension][where]
        fits = all(word in UNDECLINED or ADJECTIVE_FORMS[word] == ending for word in words[at:end])
        if fits and where in NOUNS[words[end]]:
            readings.add(where)
    if not readings:
        raise Disagreement(f"these do not agree: {' '.join(words[: end + 1])}")
    return readings


def _phrases(words):
    """[(preposition or None, readings, place)] and what is left, from left to right."""
    found, left, at = [], [], 0
    while at < len(words):
        word, rest = words[at], words[at + 1 :]
        preposition, start = None, words[at:]
        if word in MELTED:
            preposition, article = MELTED[word]
            start = [article, *rest]
        elif (word in EITHER or word in ALWAYS) and rest:
            preposition, start = word, rest
        if word in PRONOUNS:
            found.append(
                (
                    None,
                    {
                        (kind, "n")
                        for kind in ("mfn" if "s" in PRONOUNS[word] else "") + ("p" if "p" in PRONOUNS[word] else "")
                    },
                    at,
                )
            )
            at += 1
            continue
        read = noun_phrase(start)
        if read:
            length = read[1] + (1 if preposition and word not in MELTED else 0)
            if words[at + length - 1] not in WHEN.split():
                found.append((preposition, read[0], at, at + length))
            elif "d" not in {case for _, case in read[0]}:
                raise Disagreement(f"not the dative: {' '.join(words[at : at + length])}")
            at += length
        else:
            left.append(word)
            at += 1
    return [(*one, one[2] + 1) if len(one) == 3 else one for one in found], left


def _verb(left, phrases_words):
    """Lemma, number and whether it is the finite verb of the clause."""
    finite = [word for word in left if word in MODALS or word in MODALS.values()]
    candidates = [word for word in left if word in LEMMAS]
    if finite:
        number = "s" if finite[0] in MODALS else "p"
        lemmas = {
            prefix + stem
            for word in candidates
            for stem, prefix, plural in LEMMAS[word]
            if plural == "p" and word == prefix + stem
        }
        return {(lemma, number) for lemma in lemmas}
    found = set()
    for word in candidates:
        for stem, prefix, number in LEMMAS[word]:
            is_joined = prefix and word.startswith(prefix) and word not in (stem,)
            if not prefix or is_joined or prefix in left:
                found.add((prefix + stem, number))
    with_prefix = {one for one in found if any(one[0] == p + s for w in candidates for s, p, _ in LEMMAS[w] if p)}
    return with_prefix or found


def clause(words, extra=()):
    """Check one clause; `extra` is the case that a relative pronoun takes, with its number."""
    if " ".join(words) in WEATHER:
        return
    phrases, left = _phrases(words)
    problems = []
    for lemma, number in _verb(left, words) or {("?", "s")}:
        if lemma == "?":
            raise Disagreement(f"no verb is known in: {' '.join(words)}")
        problem = _problem(lemma, number, phrases, extra)
        if not problem:
            return
        problems.append(problem)
    raise Disagreement(f"{problems[0]}: {' '.join(words)}")


def _problem(lemma, number, phrases, extra):
    bare = []
    for preposition, readings, begin, end in phrases:
        if preposition is None:
            bare.append((readings, begin, end))
            continue
        case = ALWAYS.get(preposition) or ("a" if lemma in WHERE_TO or (lemma, preposition) in WITH_ACCUSATIVE else "d")
        dative = case == "a" and (lemma, preposition) in WITH_ACCUSATIVE and any(c == "d" for _, c in readings)
        if case not in {c for _, c in readings} and not dative:
            return f"{preposition} wants another case after {lemma}"
    wanted = ["n" + number, *CASES_OF[lemma]]
    for case in extra:
        if case not in wanted:
            return f"{lemma} has no place for the relative pronoun"
        wanted.remove(case)
    ends = {end for *_, end in phrases}
    for choice in product((True, False), repeat=len(bare)):
        owned = [one for one, is_owner in zip(bare, choice, strict=True) if is_owner]
        if any(begin not in ends or "g" not in {c for _, c in readings} for readings, begin, _ in owned):
            continue
        if _fits([readings for (readings, *_), is_owner in zip(bare, choice, strict=True) if not is_owner], wanted):
            return None
    return f"{lemma} ({number}) does not get its cases {wanted}"


def _fits(readings, wanted):
    if len(readings) != len(wanted):
        return False
    if not readings:
        return True
    for place, want in enumerate(wanted):
        number = want[1:]
        is_one = any(c == want[0] and (not number or (k == "p") == (number == "p")) for k, c in readings[0])
        if is_one and _fits(readings[1:], wanted[:place] + wanted[place + 1 :]):
            return True
    return False


def check(sentence):
    """Raise Disagreement where article, adjective, noun, case or verb do not agree.

    >>> check("ein alter Mann hilft der jungen Frau")
    >>> check("ein alte Mann hilft der jungen Frau")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    german.Disagreement: these do not agree: ein alte Mann
    """
    parts = [part.split() for part in sentence.split(" , ")]
    if len(parts) > 1 and (parts[0][0] in CONJUNCTIONS or parts[1][0] in CONJUNCTIONS):
        for part in parts:
            clause(part[1:] if part[0] in CONJUNCTIONS else part)
        return
    if len(parts) > 1:
        _relative(parts[0], parts[1])
    clause(parts[0] + (parts[2] if len(parts) > 2 else []))


def _relative(before, words):
    """A relative clause: its pronoun has the gender of the noun before it, and a case of its own."""
    noun = max(at for at, word in enumerate(before) if word in NOUNS)
    kinds = {kind for kind, case in NOUNS[before[noun]]}
    problems = []
    for case in "na":
        forms = {kind: DETERMINERS_OF_THE[kind, case] for kind in kinds}
        for kind, form in forms.items():
            if form != words[0]:
                continue
            try:
                return clause(words[1:], ["n" + ("p" if kind == "p" else "s")] if case == "n" else ["a"])
            except Disagreement as problem:
                problems.append(problem)
    raise problems[0] if problems else Disagreement(f"{words[0]} does not agree with {before[noun]}")


DETERMINERS_OF_THE = _paradigm(DETERMINERS[WEAK][0])
