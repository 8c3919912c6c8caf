ALTER TABLE "deliveries" VALIDATE CONSTRAINT "deliveries_status_check";--> statement-breakpoint
ALTER TABLE "delivery_attempts" VALIDATE CONSTRAINT "delivery_attempts_status_check";--> statement-breakpoint
ALTER TABLE "visibility_answers" VALIDATE CONSTRAINT "visibility_answers_reason_check";