CREATE TABLE "visibility_slots" (
	"engine" text NOT NULL,
	"slot" smallint NOT NULL,
	"answer_id" integer,
	"held_until" timestamp (3) with time zone,
	CONSTRAINT "visibility_slots_engine_slot_pk" PRIMARY KEY("engine","slot")
);
--> statement-breakpoint
ALTER TABLE "visibility_answers" ADD COLUMN "handed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "visibility_answers" ADD COLUMN "task_tag" text;--> statement-breakpoint
ALTER TABLE "visibility_answers" ADD COLUMN "task_id" text;--> statement-breakpoint
INSERT INTO "visibility_slots" ("engine", "slot") SELECT "engine", "slot" FROM unnest(ARRAY['chatgpt', 'perplexity', 'gemini', 'google_ai_overview', 'google_ai_mode']) AS "engines" ("engine") CROSS JOIN generate_series(1, 25) AS "slots" ("slot");
