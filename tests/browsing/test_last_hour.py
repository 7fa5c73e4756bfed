"""An hour brings few requests to a host, and to all."""

from focused.desk.agent.agent_spider import HOUR, PER_HOST_AND_HOUR, PER_HOUR, LastHour


def test_a_host_is_asked_so_often_and_others_go_on() -> None:
    hour = LastHour(lambda: 0.0)
    assert sum(hour.take("a.example") for _ in range(1000)) == PER_HOST_AND_HOUR
    assert hour.take("b.example")


def test_all_hosts_together_are_asked_so_often() -> None:
    hour = LastHour(lambda: 0.0)
    assert sum(hour.take(f"{number}.example") for number in range(1000)) == len(hour) == PER_HOUR


def test_the_next_hour_is_another() -> None:
    time = [0.0]
    hour = LastHour(lambda: time[0])
    while hour.take("a.example"):
        pass
    time[0] = HOUR - 1
    assert not hour.take("a.example")
    time[0] = HOUR
    assert (len(hour), hour.take("a.example")) == (0, True)
