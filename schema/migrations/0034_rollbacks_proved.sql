ALTER TABLE "page_changes" VALIDATE CONSTRAINT "page_changes_kind_check";
