ALTER TABLE "articles" VALIDATE CONSTRAINT "articles_publish_state_check";--> statement-breakpoint
ALTER TABLE "deliveries" VALIDATE CONSTRAINT "deliveries_status_check";--> statement-breakpoint
ALTER TABLE "delivery_attempts" VALIDATE CONSTRAINT "delivery_attempts_status_check";