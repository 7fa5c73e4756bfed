"""What a rival's process runs. None of it imports anything of ours: it runs in the rival's own virtual environment.

Each is called with one argument: the file of the task, JSON (see `lab.rivals.rivals.Task`).
"""
