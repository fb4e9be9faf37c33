#!/usr/bin/env python3
"""Makes the inputs of `scripts/compare-imports`, and prints how many records there are.

Usage: scripts/compare_inputs.py users COUNT ARRAY [LINES]
       scripts/compare_inputs.py events BYTES LINES

A process of its own does it: memory that the comparing process has had would count as that of its children.
"""
import itertools
import json
import random
import re
import sys

WORDS = ["river", "delta", "spring", "café", "stone", "日本", "bridge", "\"quoted\"", "harbour", "weir"]


def make_users(count, array, lines=None):
    """Users in a random order, as an array and, if wanted, as lines; about 310 bytes each."""
    draw = random.Random(1)
    ids = list(range(1, count + 1))
    draw.shuffle(ids)
    quoted = [json.dumps(word, ensure_ascii=False)[1:-1] for word in WORDS]
    # Nine words are one of 10,000 beginnings and one of 100,000 ends: as many texts as nine draws give, in two draws.
    begins, ends = ([" ".join(words) for words in itertools.product(quoted, repeat=length)] for length in (4, 5))
    number, word = draw.random, lambda: quoted[int(draw.random() * len(quoted))]
    with open(array, "w", encoding="utf-8") as first, open(lines or "/dev/null", "w", encoding="utf-8") as second:
        first.write("[\n")
        for place, key in enumerate(ids):
            text = (
                f'{{"id":{key},"name":"Jürgen Tanaka {int(number() * 1000)}","email":"user{key}@example.org",'
                f'"age":{18 + int(number() * 70)},"balance":{int(number() * 20000000 - 2000000) / 100},'
                f'"active":{"true" if number() < 0.5 else "false"},'
                f'"created":"20{10 + int(number() * 15)}-03-1{int(number() * 10)}T07:30:00Z",'
                f'"bio":"{begins[int(number() * len(begins))]} {ends[int(number() * len(ends))]}",'
                f'"address":{{"street":"{int(number() * 900)} weir St","city":"{word()}","zip":"05743"}},'
                f'"tags":["{word()}","{word()}"]}}')
            first.write(text + (",\n" if place + 1 < count else "\n"))
            if lines:
                second.write(text + "\n")
        first.write("]\n")
    print(count)


SHAS = ["%(b)016x%(c)016x%(d)08x", "%(c)016x%(b)016x%(e)08x", "%(b)016x%(d)08x%(c)016x", "%(c)016x%(e)08x%(b)016x"]
SITE = "https://api.example.org"


def user(number):
    return {"id": f"%({number})d", "login": f"user%({number})d",
            "avatar_url": f"https://images.example.org/u/%({number})d?v=4", "site_admin": False}


def payload(draw, kind):
    """What happened, with numbers to be filled in as `bytes % dict` does; each kind has its own members."""
    text = lambda count: " ".join(draw.choice(WORDS) for _ in range(draw.randrange(count, 2 * count)))
    labels = [{"id": "%(e)d", "name": draw.choice(WORDS), "color": f"{draw.randrange(1 << 24):06x}",
               "default": draw.random() < 0.5} for _ in range(draw.randrange(3))]
    issue = {"url": f"{SITE}/repos/owner%(r)d/project%(r)d/issues/%(e)d", "id": "%(d)d", "number": "%(e)d",
             "title": text(5) + " %(e)d", "user": user("e"), "labels": labels, "state": draw.choice(["open", "closed"]),
             "locked": False, "assignee": draw.choice([None, user("d")]), "milestone": None, "comments": draw.randrange(40),
             "created_at": "%(t)s", "body": draw.choice([None, text(20) + "\r\n\r\n%(d)d " + text(8)])}
    if kind == "PushEvent":
        commits = [{"sha": sha, "author": {"email": f"user%(u)d@example.{draw.choice(['org', 'net'])}", "name": text(2)},
                    "message": text(6) + "\n\nSee #%(e)d", "distinct": draw.random() < 0.9,
                    "url": f"{SITE}/repos/owner%(r)d/project%(r)d/commits/{sha}"} for sha in SHAS[:draw.randrange(1, 4)]]
        return {"push_id": "%(d)d", "size": len(commits), "distinct_size": len(commits), "ref": "refs/heads/main",
                "head": SHAS[0], "before": SHAS[3], "commits": commits}
    if kind == "PullRequestEvent":
        sides = {name: {"label": f"owner%(r)d:{name}", "ref": name, "sha": sha, "user": user("e")}
                 for name, sha in zip(("head", "base"), SHAS)}
        return {"action": draw.choice(["opened", "closed"]), "number": "%(e)d", "pull_request": {
            "id": "%(d)d", "title": text(5) + " %(e)d", "body": text(12) + " %(d)d", "draft": False, **sides,
            "merged": draw.random() < 0.5, "additions": "%(e)d", "deletions": draw.randrange(500), "labels": labels}}
    if kind == "IssuesEvent":
        return {"action": draw.choice(["opened", "closed", "reopened"]), "issue": issue}
    if kind == "IssueCommentEvent":
        del issue["body"], issue["assignee"]
        return {"action": "created", "issue": issue, "comment": {
            "id": "%(d)d", "user": user("u"), "created_at": "%(t)s", "body": text(15) + " %(d)d",
            "reactions": {"+1": draw.randrange(5)}}}
    if kind == "ReleaseEvent":
        assets = [{"id": "%(d)d", "name": f"project-%(e)d-{name}.tar.gz", "size": "%(d)d",
                   "download_count": draw.randrange(90)} for name in ("linux", "macos")]
        return {"action": "published", "release": {
            "id": "%(e)d", "tag_name": f"v{draw.randrange(9)}.%(e)d", "author": user("u"), "prerelease": False,
            "assets": assets, "body": text(20) + " %(d)d"}}
    return {"ref": "branch-%(e)d", "ref_type": "branch", "master_branch": "main", "description": text(16) + " %(d)d",
            "pusher_type": "user"}


KINDS = {"PushEvent": 8, "PullRequestEvent": 4, "IssuesEvent": 2, "IssueCommentEvent": 4, "ReleaseEvent": 1, "CreateEvent": 2}


def make_events(size, lines):
    """Events in the order of their time, one a line, until there are as many bytes as wanted; 600 to 1700 bytes each.

    Texts come from some thousand events, each with places for numbers: few values occur twice, as in a real log."""
    draw = random.Random(1)
    variants = []
    for kind in draw.choices(list(KINDS), KINDS.values(), k=4096):
        event = {"id": "%(a)d", "type": kind, "actor": {**user("u"), "display_login": "user%(u)d", "gravatar_id": "",
                                                       "url": f"{SITE}/users/user%(u)d"},
                 "repo": {"id": "%(r)d", "name": "owner%(r)d/project%(r)d", "url": f"{SITE}/repos/owner%(r)d/project%(r)d"},
                 "payload": payload(draw, kind), "public": True, "created_at": "%(t)s"}
        text = json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n"
        variants.append(re.sub(r'"(%\(\w\)d)"', r"\1", text).encode())
    clock = [f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z" for second in range(86400)]
    written = count = 0
    with open(lines, "wb", buffering=1 << 20) as file:
        while written < size:
            bits = draw.getrandbits(192)
            day, second = divmod(count // 40, 86400)
            count += 1
            line = variants[bits & 4095] % {
                b"a": count, b"b": bits >> 128, b"c": bits >> 64 & (1 << 64) - 1, b"d": bits >> 32 & (1 << 31) - 1,
                b"e": bits >> 16 & 65535, b"u": bits >> 90 & (1 << 20) - 1, b"r": bits >> 110 & (1 << 18) - 1,
                b"t": f"2025-{1 + day // 28:02}-{1 + day % 28:02}T{clock[second]}".encode()}
            written += file.write(line)
    print(count)


def make_films(count, lines):
    """Films in random order, one a line, each with a director, a studio and two genres, all with an id."""
    draw = random.Random(7)
    genres = ("Drama", "Comedy", "Crime", "Action", "Horror", "Western", "Musical", "War", "Noir", "Family")
    ids = list(range(1, count + 1))
    draw.shuffle(ids)
    with open(lines, "w", encoding="utf-8") as file:
        for number in ids:
            director, studio = draw.randint(1, max(1, count // 10)), draw.randint(1, 500)
            file.write(json.dumps({
                "id": number, "title": f"The film of number {number}", "year": 1920 + number % 100,
                "overview": f"A story of {director} friends who look for {studio} things and find {number} others.",
                "director": {"id": director, "name": f"Director {director}"},
                "studio": {"id": studio, "name": f"Studio {studio}", "country": "US"},
                "genres": [{"id": genre, "name": genres[genre]} for genre in draw.sample(range(len(genres)), 2)]}) + "\n")
    print(count)


if __name__ == "__main__":
    {"users": make_users, "events": make_events, "films": make_films}[sys.argv[1]](int(sys.argv[2]), *sys.argv[3:])
