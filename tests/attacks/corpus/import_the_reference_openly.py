"""Import the reference from course_lib by name."""

KIND = "finding the reference"
DESERVES = 12
STATUS = {"scaled_dot_product": "forbidden"}
ANSWERS = {"scaled_dot_product": "from course_lib.model.attention import scaled_dot_product\n"}
