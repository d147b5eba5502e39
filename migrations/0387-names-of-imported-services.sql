-- The name of an imported service in the other system, by which a change of it here is recognized.
comment on column services.services.imported is
  'json: { importId: string; formerId?: string; name?: string; status: string; cycle: string; firstCents: number; amountCents: number; fullCents?: number | null; untaxed?: boolean; quantity: number; cancel?: string | null; subscription?: string | null; overdue?: boolean; discount?: string | null }';
