CREATE TABLE "watched_scripts" (
	"url" varchar(1000) PRIMARY KEY NOT NULL,
	"hash" char(64) NOT NULL,
	"changed_at" timestamp with time zone,
	"read_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
