-- +goose Up
-- Times are nanoseconds since 1970.
CREATE TABLE conversations (
    id      TEXT PRIMARY KEY,
    owner   TEXT NOT NULL,
    title   TEXT NOT NULL,
    share   TEXT UNIQUE, -- NULL: not shared
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX conversations_newest ON conversations (owner, updated DESC, id);

CREATE TABLE runs (
    number       INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they were started
    id           TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    input        TEXT NOT NULL,
    started      INTEGER NOT NULL,
    ended        INTEGER,                    -- NULL while it goes on
    last         INTEGER NOT NULL DEFAULT 0, -- number of its last event
    bytes        INTEGER NOT NULL            -- of its input, its events and its results
) STRICT;

CREATE INDEX runs_conversation ON runs (conversation, number);
CREATE INDEX runs_open ON runs (number) WHERE ended IS NULL;

CREATE TABLE events (
    run  INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
    seq  INTEGER NOT NULL,
    type TEXT NOT NULL,
    time INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE results (
    call       TEXT PRIMARY KEY,
    run        INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
    tool       TEXT NOT NULL,
    arguments  BLOB,
    content    BLOB,
    structured BLOB,
    is_error   INTEGER NOT NULL,
    verified   INTEGER NOT NULL,
    note       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX results_run ON results (run);

-- How many runs an owner started on a day, counted from 1970: deleting a conversation takes nothing back. Days that no limit
-- looks at go when a run starts.
CREATE TABLE days (
    owner TEXT NOT NULL,
    day   INTEGER NOT NULL,
    runs  INTEGER NOT NULL,
    PRIMARY KEY (owner, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX days_day ON days (day);

-- +goose Down
DROP TABLE days;
DROP TABLE results;
DROP TABLE events;
DROP TABLE runs;
DROP TABLE conversations;
