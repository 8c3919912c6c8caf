CREATE INDEX CONCURRENTLY "crowdwork_campaigns_account_status" ON "crowdwork_campaigns" USING btree ("account_id","status","id") WHERE "crowdwork_campaigns"."campaign_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "crowdwork_campaigns_project_status" ON "crowdwork_campaigns" USING btree ("project_id","status","id") WHERE "crowdwork_campaigns"."campaign_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "audit_log_account_action" ON "audit_log" USING btree ("account_id","action","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "audit_log_account_actor" ON "audit_log" USING btree ("account_id","actor","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "social_posts_account_platform" ON "social_posts" USING btree ("account_id","platform","status","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "social_posts_project_platform" ON "social_posts" USING btree ("project_id","platform","status","id");