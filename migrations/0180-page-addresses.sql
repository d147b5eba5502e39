-- Categories have addresses beside those of the pages: one that is called like a page is renamed.

do $$
begin
  perform set_config('moorage.tenant', '*', true);
  update store.categories
    set slug = slug || '-' || right(id::text, 6)
    where slug in (
      'account', 'admin', 'affiliation', 'app', 'assets', 'billing', 'cart', 'checkout', 'compare',
      'country', 'docs', 'forgot', 'health', 'help', 'home', 'i', 'invitations', 'invite-friends',
      'invoices', 'legal', 'news', 'notifications', 'offer', 'offers', 'orders', 'p', 'pay', 'payment',
      'privacy', 'r', 'register', 'reset', 'reset-password', 'servers', 'services', 'setup', 'sign-in',
      'sign-out', 'status', 'terms', 'tickets', 'v1', 'verify', 'verify-email', 'vouchers', 'withdraw'
    );
end $$;
