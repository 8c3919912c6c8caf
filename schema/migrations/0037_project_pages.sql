CREATE INDEX CONCURRENTLY "page_changes_project_kind" ON "page_changes" USING btree ("project_id","kind","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "page_changes_compared" ON "page_changes" USING btree ("project_id","id") WHERE "page_changes"."effect" -> 'interval' ->> 'low' is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "suggestions_project_page" ON "suggestions" USING btree ("project_id","id","status","opportunity_type");--> statement-breakpoint
DROP INDEX CONCURRENTLY "suggestions_project";