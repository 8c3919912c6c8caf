ALTER TABLE "exchange_ledger" DROP CONSTRAINT "exchange_ledger_reason_check";--> statement-breakpoint
ALTER TABLE "exchange_ledger" ALTER COLUMN "link_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "exchange_commitments" ADD COLUMN "reserved" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "exchange_ledger" ADD COLUMN "key" text;--> statement-breakpoint
ALTER TABLE "exchange_links" ADD COLUMN "round" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "backlink_debt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "exchange_ledger" ADD CONSTRAINT "exchange_ledger_reason_check" CHECK ("exchange_ledger"."reason" in ('welcome', 'lifted_to_zero', 'reserved', 'reservation_ended', 'link_given', 'link_received', 'link_given_taken_back', 'link_received_taken_back')) NOT VALID;--> statement-breakpoint
-- Every project there is gets its welcome credits, the oldest active one of a site in its account; what was below zero is lifted to zero.
-- allowed: one statement of one row a project, so that balance and ledger never differ; it waits for no table
WITH "held" AS MATERIALIZED (
  SELECT "id", "account_id", "website_key", "status", "backlink_credits" FROM "projects" ORDER BY "id" FOR NO KEY UPDATE
), "lifted" AS (
  INSERT INTO "exchange_ledger" ("account_id", "project_id", "delta", "reason", "key")
  SELECT "account_id", "id", -"backlink_credits", 'lifted_to_zero', 'lifted:' || "id" FROM "held" WHERE "backlink_credits" < 0 ORDER BY "id"
  RETURNING "project_id", "delta"
), "welcome" AS (
  INSERT INTO "exchange_ledger" ("account_id", "project_id", "delta", "reason", "key")
  SELECT DISTINCT ON ("account_id", "website_key") "account_id", "id", 3, 'welcome', 'welcome:' || "account_id" || ':' || "website_key" FROM "held"
  ORDER BY "account_id", "website_key", "status" = 'Active' DESC, "id"
  RETURNING "project_id", "delta"
)
UPDATE "projects" SET "backlink_credits" = "projects"."backlink_credits" + "booked"."delta"
FROM (SELECT "project_id", sum("delta")::int AS "delta" FROM (SELECT * FROM "lifted" UNION ALL SELECT * FROM "welcome") "entries" GROUP BY "project_id") "booked"
WHERE "projects"."id" = "booked"."project_id";--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_backlink_credits_check" CHECK ("projects"."backlink_credits" >= 0 and "projects"."backlink_debt" >= 0) NOT VALID;