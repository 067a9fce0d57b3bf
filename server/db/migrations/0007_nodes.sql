CREATE TABLE "nodes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" varchar(300) NOT NULL,
	"secret_print" varchar(64) NOT NULL,
	"picture_store" varchar(300) NOT NULL,
	"shard" smallint NOT NULL,
	"pool_size" integer NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"stopped_at" timestamp with time zone
);
