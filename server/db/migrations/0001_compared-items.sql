CREATE TABLE "compared_items" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"compared_at" timestamp with time zone DEFAULT now() NOT NULL
);
