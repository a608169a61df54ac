"""Lists that are imported again and again: who is matched, who is new, who is missing."""

import pytest
from nbgrader.api import Gradebook

from autograder.course.roster import read_import, remove_student, rename_student
from autograder.errors import CourseError
from autograder.exports.class_list import Person, class_of

CLASS = "id,last_name,first_name,email\n" + "".join(
    f"s{number},Last{number},First{number},s{number}@uni.example\n" for number in range(1, 13)
)
ENGLISH = (
    "Identifier,Full name,Email address,Status,Grade,Maximum grade,Last modified (submission),Feedback comments",
    "Participant ",
)
GERMAN = (
    "ID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Bestwertung;Zuletzt geändert (Abgabe)",
    "Teilnehmer/in",
)
FRENCH = ("Identifiant,Nom complet,Adresse de courriel,Statut,Note,Note maximale", "Participant ")
SPANISH = ("Identificador\tNombre completo\tDirección de correo\tEstado\tCalificación", "Participante ")
UNKNOWN = ("Tunniste,Koko nimi,Sähköposti,Tila,Arvosana", "Osallistuja ")


@pytest.fixture
def imported(course, tmp_path):
    """`imported(text)` takes a list into the course and gives its sentences."""

    def run(text, encoding="utf-8", **options):
        path = tmp_path / "list.csv"
        path.write_text(text, encoding)
        return " ".join(read_import(course, path, **options).write())

    return run


@pytest.fixture
def of_twelve(course, imported):
    imported(CLASS)
    return course


def ids(course):
    return [person.id for person in class_of(course)]


def worksheet(titles, participant, numbers=(1, 2, 3, 4)):
    """A grading worksheet of some of the class; Moodle's numbers are other ones in each assignment."""
    separator = next(letter for letter in ";\t," if letter in titles)
    width = titles.count(separator) + 1
    rows = [[f"{participant}{700 + n}", f"First{n} Last{n}", f"s{n}@uni.example"] for n in numbers]
    return "\n".join([titles, *(separator.join(row + [""] * (width - 3)) for row in rows)]) + "\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("language", [ENGLISH, GERMAN, FRENCH, SPANISH, UNKNOWN])
def test_a_worksheet_updates_its_four_and_removes_nobody(of_twelve, imported, language, encoding):
    before = ids(of_twelve)
    imported(worksheet(*language), encoding)
    assert ids(of_twelve) == before
    assert [person.lms_user_id for person in class_of(of_twelve)][:5] == ["701", "702", "703", "704", ""]
    with Gradebook(of_twelve.db_url, of_twelve.course_id) as gradebook:
        assert len(gradebook.students) == 12


def test_ids_and_addresses_are_matched_whatever_their_case(of_twelve, imported):
    before = class_of(of_twelve)
    assert "0 new, 0 changed" in imported(CLASS.replace("s3,", "S3,").replace("s4@uni", "S4@UNI"))
    assert class_of(of_twelve) == before


def test_a_number_of_the_lms_is_no_match_when_the_address_is_another_persons(course, imported):
    imported("id,email,lms_user_id\nann,ann@x,701\n")
    imported("Identifier,Full name,Email address\nParticipant 701,Bob Roe,bob@x\n")
    assert ids(course) == ["ann", "bob@x"]


def test_two_people_of_one_name_stay_two(course, imported):
    imported("id,first_name,last_name,email\na1,Kim,Lee,kim1@x\na2,Kim,Lee,\n")
    imported("Identifier,Full name,Email address\nParticipant 8,Kim Lee,kim1@x\n")
    assert [(p.id, p.lms_user_id) for p in class_of(course)] == [("a1", "8"), ("a2", "")]


def test_a_row_without_id_and_address_that_matches_nobody_is_refused(of_twelve, imported):
    with pytest.raises(CourseError, match="Kim Lee is not in the class yet and has no id"):
        imported("Identifier,Full name,Email address\nParticipant 8,Kim Lee,\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,email\ns1,s2@uni.example\n", "has the id of s1 and the e-mail address of s2"),
        ("id,email\ns1,\nS1,x\n", "in two rows"),
        ("student_id,email\ns1,\ns77,s1@uni.example\n", "both match s1"),
    ],
)
def test_rows_that_fit_two_people_or_one_twice_are_refused_and_leave_no_trace(of_twelve, imported, text, said):
    with pytest.raises(CourseError, match=said):
        imported(text)
    assert len(ids(of_twelve)) == 12
    with Gradebook(of_twelve.db_url, of_twelve.course_id) as gradebook:
        assert len(gradebook.students) == 12


def test_a_list_without_more_than_a_tenth_of_the_class_needs_to_be_meant(of_twelve, command, tmp_path):
    shorter = tmp_path / "list.csv"
    shorter.write_text("\n".join(CLASS.splitlines()[:11]) + "\n")  # ten of twelve
    assert "2 of 12 students are not in this list" in command("roster", "import", shorter, code=1).stderr
    assert len(ids(of_twelve)) == 12
    command("roster", "import", shorter, "--remove")
    assert len(ids(of_twelve)) == 10


def test_a_list_without_one_of_twelve_takes_it_out(of_twelve, imported):
    assert "kept in the gradebook: s12" in imported("\n".join(CLASS.splitlines()[:12]) + "\n")
    assert len(ids(of_twelve)) == 11


def test_a_dry_run_shows_who_is_new_changed_and_missing_and_writes_nothing(of_twelve, command, tmp_path):
    text = CLASS.replace("First2", "Second").replace("s12,", "s13,").replace("s12@", "s13@")
    (tmp_path / "list.csv").write_text(text)
    before = class_of(of_twelve)
    shown = command("roster", "import", tmp_path / "list.csv", "--dry-run").stdout
    for words in ("first_name: First2 → Second", "s13", "missing", "1 new, 1 changed, 1 missing."):
        assert words in shown
    assert class_of(of_twelve) == before


@pytest.mark.parametrize(
    ("column", "expected"), [(None, ["login1", "login2"]), ("SIS User ID", ["u1", "u2"]), ("ID", ["101", "102"])]
)
def test_canvas_has_three_ids_to_choose_from_and_a_test_student_who_is_nobody(course, imported, column, expected):
    text = (
        "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
        '"Doe, Ann",101,u1,login1,A\n"Roe, Bob",102,u2,login2,A\n"Student, Test",103,,abcdef,A\n'
    )
    said = imported(text, ids=column)
    assert ids(course) == expected
    assert "Not imported: Canvas's Test Student." in said


def test_a_column_of_ids_that_is_not_there_is_refused(course, imported):
    with pytest.raises(CourseError, match="has no column “Login”: --ids can be one of id, email"):
        imported("id,email\nann,a@x\n", ids="Login")


def test_whom_the_gradebook_knows_already_is_matched_too(course, imported, tmp_path):
    with Gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.update_or_create_student("ann", email="ann@x")
    imported("Full name,Email address\nAnn Doe,ann@x\n")
    assert class_of(course) == (Person("ann", "Ann", "Doe", "ann@x", ""),)


def test_somebody_who_handed_in_nothing_is_removed_from_the_gradebook_too(of_twelve):
    assert remove_student(of_twelve, "s5") == "s5 was removed from the class and the gradebook."
    assert "s5" not in ids(of_twelve)
    with Gradebook(of_twelve.db_url, of_twelve.course_id) as gradebook:
        assert "s5" not in {student.id for student in gradebook.students}


def test_the_gradebook_keeps_somebody_who_handed_in(of_twelve, grade):
    grade("s5")
    assert "the gradebook keeps the submissions: 01_attention" in remove_student(of_twelve, "s5")
    with Gradebook(of_twelve.db_url, of_twelve.course_id) as gradebook:
        assert gradebook.find_student("s5").score > 0


def test_a_student_who_is_renamed_keeps_points_and_files(of_twelve, grade):
    grade("s5")
    with Gradebook(of_twelve.db_url, of_twelve.course_id) as gradebook:
        points = gradebook.find_student("s5").score
    (of_twelve.root / "course.toml").write_text("[extensions]\ns5 = { 1 = 2 }\n")
    said = rename_student(of_twelve, "s5", "ada")
    assert said == ["s5 is now ada.", "course.toml still has an extension for s5; change the id there."]
    assert of_twelve.submitted_file("01_attention", "ada").exists()
    assert not of_twelve.submitted_file("01_attention", "s5").exists()
    with Gradebook(of_twelve.db_url, of_twelve.course_id) as gradebook:
        assert gradebook.find_student("ada").score == points > 0
        assert "s5" not in {student.id for student in gradebook.students}


@pytest.mark.parametrize(
    ("old", "new", "said"), [("s5", "s6", "already taken"), ("zz", "yy", "neither"), ("s5", "../x", "cannot be")]
)
def test_a_rename_that_cannot_be_is_refused(of_twelve, old, new, said):
    with pytest.raises(CourseError, match=said):
        rename_student(of_twelve, old, new)
    assert len(ids(of_twelve)) == 12


def test_the_short_form_of_the_command_imports(command, course, tmp_path):
    (tmp_path / "list.csv").write_text(CLASS)
    assert "12 students, 12 new, 0 changed" in command("roster", tmp_path / "list.csv").stdout
    (tmp_path / "list.csv").write_text("\n".join(CLASS.splitlines()[:6]) + "\n")
    assert "--remove" in command("roster", tmp_path / "list.csv", code=1).stderr
    assert read_import(course, tmp_path / "list.csv").many_missing == "7 of 12 students are not in this list"
