"""The words of the caption language: nouns, adjectives, verbs and the small words, English beside German.

A word is here once, in the forms that no rule produces; all other forms come from the rules in `caption_grammar`.
The kinds of a noun say what can be done with it, and where: one eats *food* and hides behind a *landmark*.
"""

import re
from typing import NamedTuple

from course_lib.tasks.caption_grammar import CASES, Adjective, Determiner, Noun, Verb

Both = tuple[str, str]  # English, German


class Complement(NamedTuple):
    """A phrase that goes with a verb, or says where: the case of its noun and the noun's kinds."""

    english_preposition: str
    preposition: str
    case: str
    kinds: frozenset[str]


class Frame(NamedTuple):
    """A verb and what goes with it; `goes_somewhere`: instead of a place there is a way."""

    verb: Verb
    subjects: frozenset[str]
    objects: tuple[Complement, ...]
    goes_somewhere: bool
    adverbs: tuple[Both, ...]


def rows(table: str) -> list[str]:
    """The rows of a table, which a semicolon divides; how its lines are broken does not count."""
    return [" ".join(row.split()) for row in table.split(";")]


def two_columns(table: str) -> list[Both]:
    return [tuple(row.split(" = ")) for row in rows(table)]


def read_noun(row: str, kinds: str) -> Noun:
    english, article, german, german_plural, *weak = row.split()
    english, _, plural = english.partition(":")
    plural = plural or re.sub("([^aeiou])ys$", r"\1ies", re.sub("(s|x|ch|sh)s$", r"\1es", english + "s"))
    gender = {"der": "m", "die": "f", "das": "n"}[article]
    return Noun(english, plural, gender, german, german_plural, bool(weak), frozenset(kinds.split()))


def read_adjective(row: str) -> Adjective:
    english, german = row.split()
    german, has_stem, stem = german.partition("/")
    return Adjective(english, german, stem if has_stem else german)


def read_verb(row: str) -> Verb:
    english, german = row.split(" = ")
    *sich, infinitive, third = german.split()
    prefix, _, infinitive = infinitive.rpartition("|")
    return Verb(english, infinitive, third, prefix, bool(sich))


def read_complements(words: str, english: str = "") -> tuple[Complement, ...]:
    """ "mit dat thing", or "dat person acc thing food": perhaps a preposition, the case, the kinds; and again."""
    found, preposition = [], ""
    for word in words.split():
        if word in CASES:
            found.append((english, preposition, word, set()))
        elif word in KINDS:
            found[-1][-1].add(word)
        else:
            preposition = word
    return tuple(Complement(*first, frozenset(kinds)) for *first, kinds in found)


# english[:irregular plural] article singular plural [weak], where a weak noun ends in -(e)n in all cases but one
NOUN_TABLE = {
    "person": """
        man:men der Mann Männer; woman:women die Frau Frauen; boy der Junge Jungen weak; girl das Mädchen Mädchen;
        child:children das Kind Kinder; baby das Baby Babys; father der Vater Väter; mother die Mutter Mütter;
        grandfather der Großvater Großväter; grandmother die Großmutter Großmütter; king der König Könige; queen die
        Königin Königinnen; prince der Prinz Prinzen weak; princess die Prinzessin Prinzessinnen; knight der Ritter
        Ritter; witch die Hexe Hexen; fireman:firemen der Feuerwehrmann Feuerwehrmänner; policeman:policemen der
        Polizist Polizisten weak; policewoman:policewomen die Polizistin Polizistinnen; fisherman:fishermen der Fischer
        Fischer; waitress die Kellnerin Kellnerinnen""",
    "animal": """
        dog der Hund Hunde; cat die Katze Katzen; horse das Pferd Pferde; cow die Kuh Kühe; pig das Schwein Schweine;
        duck die Ente Enten; goose:geese die Gans Gänse; rabbit das Kaninchen Kaninchen; mouse:mice die Maus Mäuse; bear
        der Bär Bären weak; lion der Löwe Löwen weak; monkey der Affe Affen weak; elephant der Elefant Elefanten weak;
        fox der Fuchs Füchse; wolf:wolves der Wolf Wölfe; frog der Frosch Frösche; hedgehog der Igel Igel; turtle die
        Schildkröte Schildkröten""",
    "food": """
        apple der Apfel Äpfel; pear die Birne Birnen; cake der Kuchen Kuchen; egg das Ei Eier; sausage die Wurst Würste;
        carrot die Karotte Karotten; tomato:tomatoes die Tomate Tomaten""",
    "drink": "water das Wasser -; milk die Milch -; tea der Tee -; juice der Saft -",
    "garment": """
        hat der Hut Hüte; dress das Kleid Kleider; coat der Mantel Mäntel; jacket die Jacke Jacken; shirt das Hemd
        Hemden; scarf:scarves der Schal Schals; cap die Mütze Mützen""",
    "text": "book das Buch Bücher; letter der Brief Briefe; newspaper die Zeitung Zeitungen; poem das Gedicht Gedichte",
    "thing": """
        ball der Ball Bälle; doll die Puppe Puppen; basket der Korb Körbe; bag die Tasche Taschen; bottle die Flasche
        Flaschen; cup die Tasse Tassen; key der Schlüssel Schlüssel; flower die Blume Blumen; stone der Stein Steine;
        guitar die Gitarre Gitarren; candle die Kerze Kerzen; present das Geschenk Geschenke; blanket die Decke Decken;
        picture das Bild Bilder""",
    "opening": "box die Kiste Kisten; suitcase der Koffer Koffer; cupboard der Schrank Schränke",
    "edge opening": "door die Tür Türen; window das Fenster Fenster; gate das Tor Tore",
    "vehicle landmark": "car das Auto Autos; bicycle das Fahrrad Fahrräder; cart der Wagen Wagen; train der Zug Züge",
    "inside landmark tall": "house das Haus Häuser; church die Kirche Kirchen; castle das Schloss Schlösser",
    "inside landmark": "tent das Zelt Zelte; museum das Museum Museen",
    "inside": """
        garden der Garten Gärten; park der Park Parks; kitchen die Küche Küchen; room das Zimmer Zimmer; city die Stadt
        Städte; forest der Wald Wälder; zoo der Zoo Zoos""",
    "surface landmark cover": "table der Tisch Tische; bridge die Brücke Brücken; bed das Bett Betten",
    "surface": """
        street die Straße Straßen; roof das Dach Dächer; meadow die Wiese Wiesen; island die Insel Inseln; hill der
        Hügel Hügel; stage die Bühne Bühnen""",
    "edge": "lake der See Seen; river der Fluss Flüsse; beach der Strand Strände; station der Bahnhof Bahnhöfe",
    "landmark cover tall": "tree der Baum Bäume",
    "landmark tall": "tower der Turm Türme; fence der Zaun Zäune",
}

# english german[/stem before an ending]; a noun has at most one adjective of a sort, and the sorts come in their order
ADJECTIVE_TABLE = {
    ("opinion", "person"): "friendly freundlich; polite höflich; proud stolz",
    ("opinion", "animal person"): "happy glücklich; sad traurig; brave mutig; clever klug; lazy faul; angry wütend",
    ("opinion", "text"): "strange seltsam; funny lustig",
    ("opinion", "inside surface edge landmark"): "beautiful schön; famous berühmt",
    ("size", "person animal food garment thing vehicle opening inside surface landmark"): "big groß; small klein",
    ("size", "tall"): "tall hoch/hoh",
    ("size", "text"): "long lang; short kurz",
    ("condition", "animal person"): "hungry hungrig; thirsty durstig; tired müde/müd; strong stark; sick krank",
    ("condition", "person"): "rich reich; poor arm",
    ("condition", "food"): "fresh frisch; ripe reif; sour sauer/saur; sweet süß",
    ("condition", "drink"): "cold kalt; hot heiß; sweet süß; fresh frisch",
    ("condition", "garment thing vehicle"): """
        expensive teuer/teur; cheap billig; clean sauber; dirty schmutzig; wet nass""",
    ("condition", "opening"): "heavy schwer; broken kaputt; light leicht",
    ("condition", "inside surface edge landmark"): "dark dunkel/dunkl; quiet still; lonely einsam",
    ("age", "person animal"): "old alt; young jung",
    ("age", "garment thing vehicle opening inside surface landmark"): "old alt; new neu",
    ("age", "text"): "new neu",
    ("colour", "animal food garment thing vehicle opening"): """
        red rot; blue blau; green grün; yellow gelb; black schwarz; white weiß; brown braun; grey grau; pink rosa/;
        purple lila/""",
}
LASTING = frozenset(("old", "young", "strong", "rich", "poor", "clever", "lazy", "brave", "proud"))  # at any time

# (kinds of the subject, complement, adverbs): english = [sich] [prefix|]infinitive third-person-singular
VERB_TABLE = {
    ("person animal", "", ""): """
        sleep = schlafen schläft; play = spielen spielt; yawn = gähnen gähnt; dream = träumen träumt; wait = warten
        wartet; rest = sich aus|ruhen ruht; wake up = auf|wachen wacht; hide = sich verstecken versteckt; sit = sitzen
        sitzt; stand = stehen steht; lie = liegen liegt; fall over = um|fallen fällt""",
    ("person", "", ""): """
        laugh = lachen lacht; cry = weinen weint; dance = tanzen tanzt; sing = singen singt; work = arbeiten arbeitet;
        smile = lächeln lächelt; get up = auf|stehen steht; sit down = sich hin|setzen setzt; hurry = sich beeilen
        beeilt; watch television = fern|sehen sieht""",
    ("person animal", "way", "slowly quickly quietly happily"): """
        run = laufen läuft; climb = klettern klettert; crawl = kriechen kriecht; jump = springen springt""",
    ("person", "way", "slowly quickly"): "walk = gehen geht; drive = fahren fährt",
    ("person", "acc food", "slowly quickly quietly happily secretly"): "eat = essen isst",
    ("person animal", "acc drink", "slowly quickly quietly"): "drink = trinken trinkt",
    ("person", "acc food", "slowly quickly carefully"): "cut = schneiden schneidet",
    ("person", "acc text", "slowly carefully quietly secretly"): "read = lesen liest; write = schreiben schreibt",
    ("person", "acc text", "slowly quietly happily"): "read out = vor|lesen liest",
    ("person", "acc garment", ""): "wear = tragen trägt",
    ("person", "acc garment", "slowly quickly carefully"): "put on = an|ziehen zieht; take off = aus|ziehen zieht",
    ("person", "acc thing", "slowly quickly carefully secretly"): """
        carry = tragen trägt; pick up = auf|heben hebt; throw away = weg|werfen wirft; bring along =
        mit|bringen bringt""",
    ("person", "acc thing food garment text", "secretly happily"): "buy = kaufen kauft; sell = verkaufen verkauft",
    ("person animal", "acc thing food", "secretly quickly"): "steal = stehlen stiehlt",
    ("person", "acc opening", "slowly quickly carefully quietly"): "open = auf|machen macht; close = zu|machen macht",
    ("person", "acc vehicle", "slowly quickly carefully"): """
        push = schieben schiebt; pull = ziehen zieht; wash = waschen wäscht; repair = reparieren repariert""",
    ("person", "acc animal landmark person", ""): """
        draw = zeichnen zeichnet; paint = malen malt; look at = an|sehen sieht""",
    ("person", "acc animal", "carefully quietly happily"): """
        feed = füttern füttert; stroke = streicheln streichelt; catch = fangen fängt""",
    ("animal", "acc animal person", ""): "chase = jagen jagt; bite = beißen beißt",
    ("person", "acc person", ""): """
        kiss = küssen küsst; hug = umarmen umarmt; invite = ein|laden lädt; call = an|rufen ruft""",
    ("person", "dat person", ""): "help = helfen hilft; thank = danken dankt; listen to = zu|hören hört",
    ("person animal", "dat person animal", "quietly slowly secretly"): "follow = folgen folgt",
    ("person", "dat person acc thing food text garment", ""): """
        give = geben gibt; show = zeigen zeigt; send = schicken schickt""",
    ("person animal", "auf acc person animal", ""): "wait for = warten wartet",
    ("person animal", "mit dat thing", "happily quietly"): "play with = spielen spielt",
    ("person", "mit dat person", "quietly happily"): "talk to = sprechen spricht",
    ("person animal", "von dat food animal", ""): "dream of = träumen träumt",
    ("person", "an acc person", ""): "think of = denken denkt",
    ("person animal", "vor dat animal", ""): "hide from = sich verstecken versteckt",
    ("person", "um acc animal person", ""): "look after = sich kümmern kümmert",
}

# english = german, case, kinds of the noun; where something is, and where somebody goes
PLACE_TABLE = """
    in = in dat inside; on = auf dat surface; at = an dat edge; behind = hinter dat landmark; under = unter dat
    cover; in front of = vor dat landmark; next to = neben dat landmark"""
WAY_TABLE = """
    into = in acc inside; onto = auf acc surface; through = durch acc inside; to = zu dat edge landmark; out of = aus
    dat inside; over = über acc surface; around = um acc landmark; from = von dat edge"""

# english singular and plural ("-": none) = german stem, how it is declined (see `NounPhrase.german`)
DETERMINER_TABLE = """
    the the = d article; a - = ein mixed; this these = dies weak; every - = jed weak; no no = kein mixed; - all = all
    weak; - many = viel strong; - some = einig strong; - two = zwei none; - three = drei none; - four = vier none;
    - five = fünf none"""
# when: what is going on now; what is planned, and takes a modal verb; and what happens again and again
NOW = two_columns("today = heute; now = jetzt")
PLANNED = two_columns("""
    tomorrow = morgen; on Monday = am Montag; on Tuesday = am Dienstag; on Wednesday = am Mittwoch; on Thursday = am
    Donnerstag; on Friday = am Freitag; on Saturday = am Samstag; on Sunday = am Sonntag""")
HABITUAL = two_columns("""
    in the morning = am Morgen; in the evening = am Abend; at night = in der Nacht; in summer = im Sommer; in winter =
    im Winter; in spring = im Frühling; in autumn = im Herbst""")
TIMES = [*NOW, *PLANNED, *HABITUAL]
ADVERBS = two_columns("""
    slowly = langsam; quickly = schnell; quietly = leise; carefully = vorsichtig; happily = fröhlich; secretly =
    heimlich""")
MODALS = [
    read_verb(row)
    for row in rows("want to = wollen will; can = können kann; must = müssen muss; should = sollten sollte")
]
MODALS[2] = MODALS[2]._replace(negated=read_verb("must = dürfen darf"))  # *must not* forbids; *nicht müssen* does not
CONJUNCTIONS = two_columns("because = weil; while = während; although = obwohl; if = wenn")
WEATHER = two_columns("it is raining = es regnet; it is snowing = es schneit; the sun is shining = die Sonne scheint")

KINDS = {kind for kinds in NOUN_TABLE for kind in kinds.split()}
NOUNS = [read_noun(row, kinds) for kinds, table in NOUN_TABLE.items() for row in rows(table)]
ADJECTIVES = [  # sort, kinds of noun, adjectives
    (sort, frozenset(kinds.split()), [read_adjective(row) for row in rows(table)])
    for (sort, kinds), table in ADJECTIVE_TABLE.items()
]
FRAMES = [
    Frame(
        read_verb(row),
        frozenset(subjects.split()),
        () if complement == "way" else read_complements(complement),
        complement == "way",
        tuple(both for both in ADVERBS if both[0] in adverbs.split()),
    )
    for (subjects, complement, adverbs), table in VERB_TABLE.items()
    for row in rows(table)
]
PLACES, WAYS = (
    [complement for english, german in two_columns(table) for complement in read_complements(german, english)]
    for table in (PLACE_TABLE, WAY_TABLE)
)
DETERMINERS = {"bare": Determiner(None, "", "", "none")}
for english, german in two_columns(DETERMINER_TABLE):
    singular, plural = (None if form == "-" else form for form in english.split())
    DETERMINERS[singular or plural] = Determiner(singular, plural, *german.split())
# of an object that is negated; the *not* stands at the verb
NOT_A, NOT_ANY = Determiner("a", "any", "kein", "mixed"), Determiner("any", None, "kein", "mixed")
