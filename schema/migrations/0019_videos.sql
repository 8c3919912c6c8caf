CREATE TABLE "video_quota" (
	"day" date PRIMARY KEY NOT NULL,
	"used" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "video_searches" (
	"key" text PRIMARY KEY NOT NULL,
	"video_id" text,
	"title" text DEFAULT '' NOT NULL,
	"searched_at" timestamp (3) with time zone NOT NULL
);
