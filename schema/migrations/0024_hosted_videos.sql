CREATE TABLE "hosted_videos" (
	"name" text PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"hash" text NOT NULL,
	"extension" text NOT NULL,
	"bytes" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hosted_videos_extension_check" CHECK ("hosted_videos"."extension" in ('mp4', 'mov')),
	CONSTRAINT "hosted_videos_name_check" CHECK ("hosted_videos"."name" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "hosted_videos_hash_check" CHECK ("hosted_videos"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "hosted_videos" ADD CONSTRAINT "hosted_videos_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "hosted_videos_account_hash" ON "hosted_videos" USING btree ("account_id","hash");