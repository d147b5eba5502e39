-- The password of a panel account is set only where the account was created by this service.
alter table services.panel_accounts add column made_here boolean not null default false;
-- Where customers sign in to the panel with their account of the shop; null: they use the panel's own sign-in.
alter table panel.nodes add column sign_on_url text check (length(sign_on_url) <= 500);
