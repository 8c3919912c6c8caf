CREATE TABLE "outreach_actions" (
	"account_id" integer NOT NULL,
	"id" text NOT NULL,
	"data" jsonb NOT NULL,
	"version" bigint,
	"person_id" text NOT NULL,
	CONSTRAINT "outreach_actions_pkey" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "outreach_erasures" (
	"account_id" integer NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outreach_erasures_pkey" PRIMARY KEY("account_id","hash")
);
--> statement-breakpoint
CREATE TABLE "outreach_identities" (
	"account_id" integer NOT NULL,
	"id" text NOT NULL,
	"data" jsonb NOT NULL,
	"version" bigint,
	"person_id" text NOT NULL,
	"address" text NOT NULL,
	"domains" text[] NOT NULL,
	CONSTRAINT "outreach_identities_pkey" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "outreach_leads" (
	"account_id" integer NOT NULL,
	"id" text NOT NULL,
	"data" jsonb NOT NULL,
	"version" bigint,
	"person_id" text NOT NULL,
	CONSTRAINT "outreach_leads_pkey" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "outreach_mirrors" (
	"account_id" integer PRIMARY KEY NOT NULL,
	"cursor" text,
	"salt" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outreach_persons" (
	"account_id" integer NOT NULL,
	"id" text NOT NULL,
	"data" jsonb NOT NULL,
	"version" bigint,
	"address" text,
	"domains" text[] NOT NULL,
	CONSTRAINT "outreach_persons_pkey" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "outreach_suppressions" (
	"account_id" integer NOT NULL,
	"id" text NOT NULL,
	"data" jsonb NOT NULL,
	"version" bigint,
	"key" text NOT NULL,
	CONSTRAINT "outreach_suppressions_pkey" PRIMARY KEY("account_id","id","key")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "outreach_beta" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "outreach_actions" ADD CONSTRAINT "outreach_actions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outreach_erasures" ADD CONSTRAINT "outreach_erasures_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outreach_identities" ADD CONSTRAINT "outreach_identities_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outreach_leads" ADD CONSTRAINT "outreach_leads_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outreach_mirrors" ADD CONSTRAINT "outreach_mirrors_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outreach_persons" ADD CONSTRAINT "outreach_persons_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outreach_suppressions" ADD CONSTRAINT "outreach_suppressions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outreach_actions_person" ON "outreach_actions" USING btree ("account_id","person_id");--> statement-breakpoint
CREATE INDEX "outreach_identities_person" ON "outreach_identities" USING btree ("account_id","person_id");--> statement-breakpoint
CREATE INDEX "outreach_identities_address" ON "outreach_identities" USING btree ("account_id","address");--> statement-breakpoint
CREATE INDEX "outreach_leads_person" ON "outreach_leads" USING btree ("account_id","person_id");--> statement-breakpoint
CREATE INDEX "outreach_persons_address" ON "outreach_persons" USING btree ("account_id","address");--> statement-breakpoint
CREATE INDEX "outreach_suppressions_key" ON "outreach_suppressions" USING btree ("account_id","key");