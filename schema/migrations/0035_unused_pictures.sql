ALTER TABLE "accounts" ADD COLUMN "pictures_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "hosted_images" ADD COLUMN "used_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "hosted_images" ADD COLUMN "sent" boolean DEFAULT false NOT NULL;