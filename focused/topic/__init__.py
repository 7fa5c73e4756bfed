"""What a person says of a topic, in files and arguments, and what a person is told when something in it is wrong."""
