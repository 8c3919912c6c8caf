ALTER TABLE "articles" DROP CONSTRAINT "articles_publish_state_check";--> statement-breakpoint
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_status_check";--> statement-breakpoint
ALTER TABLE "delivery_attempts" DROP CONSTRAINT "delivery_attempts_status_check";--> statement-breakpoint
ALTER TABLE "articles" ADD CONSTRAINT "articles_publish_state_check" CHECK ("articles"."publish_state" in ('idle', 'publishing', 'retrying', 'unknown', 'failed', 'awaiting_approval', 'awaiting_merge')) NOT VALID;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_status_check" CHECK ("deliveries"."status" in ('sending', 'retrying', 'unknown', 'awaiting_merge', 'delivered', 'unclear', 'failed', 'superseded')) NOT VALID;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_status_check" CHECK ("delivery_attempts"."status" in ('sending', 'delivered', 'unclear', 'retrying', 'unknown', 'awaiting_merge', 'failed')) NOT VALID;