-- What an imported service costs without the limited discount that its agreed price holds, and whether the other system
-- charged no tax for it.
alter table imports.staged_services add column full_amount bigint;
comment on column services.services.imported is
  'json: { importId: string; formerId?: string; status: string; cycle: string; firstCents: number; amountCents: number; fullCents?: number | null; untaxed?: boolean; quantity: number; cancel?: string | null; subscription?: string | null; overdue?: boolean; discount?: string | null }';

-- Whether a login has a second factor, whose secret no dump holds in the clear.
alter table imports.staged_clients add column second_factor boolean;
alter table imports.staged_logins add column second_factor boolean;
