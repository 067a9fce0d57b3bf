-- Written by hand: who made the open invitations, which are at most three days old, is not known. They end.
DELETE FROM "admin_invites";--> statement-breakpoint
ALTER TABLE "admin_invites" ADD COLUMN "invited_by" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_invites" ADD CONSTRAINT "admin_invites_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;