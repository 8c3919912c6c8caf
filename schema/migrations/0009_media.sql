CREATE TABLE "hosted_images" (
	"account_id" integer NOT NULL,
	"hash" text NOT NULL,
	"extension" text NOT NULL,
	"bytes" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hosted_images_pkey" PRIMARY KEY("account_id","hash"),
	CONSTRAINT "hosted_images_extension_check" CHECK ("hosted_images"."extension" in ('jpg', 'png', 'webp', 'gif')),
	CONSTRAINT "hosted_images_hash_check" CHECK ("hosted_images"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "hosted_images" ADD CONSTRAINT "hosted_images_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "hosted_images_hash" ON "hosted_images" USING btree ("hash");