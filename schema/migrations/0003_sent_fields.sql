ALTER TABLE "projects" ADD COLUMN "sent_fields" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE "projects" p SET "sent_fields" = s.fields FROM (
  SELECT l.subject, array_agg(DISTINCT field) AS fields
  FROM "audit_log" l, jsonb_array_elements_text(CASE WHEN jsonb_typeof(l.detail -> 'fields') = 'array' THEN l.detail -> 'fields' ELSE '[]' END) AS field
  WHERE l.action IN ('project.create', 'project.update') GROUP BY l.subject
) s WHERE s.subject = 'project:' || p.id;
