/**
 * Every `code` of an error: its meaning, and what a caller can do about it. A new code has to be added here
 * before it can be thrown; `docs/errors.md` is generated from this list.
 */
export const PROBLEM_CODES = {
  above_available: ['The amount is more than the available balance.', 'Request a smaller amount.'],
  account_quota_exceeded: [
    'All credentials of the account together have exceeded its rate limit.',
    'Wait for `Retry-After` seconds, and send fewer requests at once.',
  ],
  account_suspended: ['The account is suspended.', 'Contact the shop.'],
  accounts_incomplete: [
    'A number that the export for accounting needs is missing.',
    'Enter what `details` names in the settings.',
  ],
  accounts_not_confirmed: [
    'The accounts of the export for accounting are not confirmed.',
    'Check them with the accountant, and confirm them in the settings.',
  ],
  address_invalid: [
    'An IP address or range is malformed.',
    'Send IPv4 or IPv6 addresses or CIDR ranges.',
  ],
  address_not_allowed: [
    'The URL points at an address that the service must not call.',
    'Use a public HTTPS address without a query string or fragment.',
  ],
  address_unavailable: [
    'No account can be opened with this email address.',
    'Use another address, or sign in.',
  ],
  address_unconfirmed: [
    'An order that is not paid in advance needs a confirmed email address.',
    'Confirm the address with the link in the mail.',
  ],
  affiliate_closed: [
    'The account of this affiliate has ended.',
    'Nothing can be changed any more.',
  ],
  affiliate_suspended: ['The affiliate account is suspended.', 'Contact the shop.'],
  affiliation_disabled: ['This shop has no affiliate programme.', 'Enable it in the settings.'],
  already_answered: [
    'A request with this Idempotency-Key has already taken effect, and its answer is not kept.',
    'Read the object to see the result; do not repeat the request.',
  ],
  already_booked: [
    'A payment with this reference is already booked.',
    'Check the payments of the invoice.',
  ],
  already_enrolled: ['The customer is already an affiliate.', 'Read `GET /v1/affiliation`.'],
  amount_not_allowed: [
    'The payment provider does not take this amount.',
    'Pay an amount within the limits that the message names.',
  ],
  amount_zero: [
    'The change has no effect because the amount is 0.',
    'Send an amount other than 0.',
  ],
  api_key_required: [
    'A panel connection with another address needs new keys.',
    'Send the keys together with the address.',
  ],
  below_minimum: [
    'The amount is below the minimum for a conversion.',
    'Convert at least the minimum.',
  ],
  body_too_large: ['The body is larger than the operation accepts.', 'Send a smaller body.'],
  break_resolved: [
    'The reconciliation difference is already resolved.',
    'Nothing needs to be done.',
  ],
  cart_changed: ['The cart changed during the request.', 'Read the cart and try again.'],
  cart_currency: [
    'The cart has another currency than the item.',
    'Empty the cart, or choose a plan in its currency.',
  ],
  cart_empty: ['The cart is empty.', 'Add an item before checking out.'],
  cart_full: ['The cart holds as many items as an order may have.', 'Place several orders.'],
  change_planned: [
    'A change of plan or options is scheduled for the end of the paid period.',
    'Wait for it, or cancel it.',
  ],
  category_in_use: [
    'Articles belong to the category.',
    'Move the articles to another category or archive them first.',
  ],
  changed_meanwhile: [
    'The object has changed since the given `ETag`.',
    'Read it again and repeat the change.',
  ],
  client_type_fixed: ['The type of an OAuth client cannot change.', 'Create another client.'],
  code_taken: ['Another object has this code.', 'Choose another code.'],
  code_wrong: ['The one-time code is wrong.', 'Enter the current code of the authenticator app.'],
  commission_left: ['The affiliate still has commission.', 'Convert it, or give it up explicitly.'],
  commission_not_flagged: [
    'The commission does not wait for a review.',
    'Nothing needs to be done.',
  ],
  commission_rejected: ['The commission was rejected.', 'A rejected commission cannot be changed.'],
  comparison_not_finished: [
    'The comparison with the panel is still running.',
    'Try again when it has finished.',
  ],
  conflict: [
    'The state of the object does not allow the request.',
    'Read the object again and decide anew.',
  ],
  connection_exists: ['An external account is already linked.', 'Remove it first.'],
  connection_not_offered: [
    'This shop does not link accounts of this provider.',
    'Use another provider.',
  ],
  country_required: [
    'A VAT number needs a billing address or a country.',
    'Send the country as well.',
  ],
  country_unknown: ['There is no country with this code.', 'Send an ISO 3166-1 alpha-2 code.'],
  coupon_not_applicable: [
    'The coupon cannot be used for this cart.',
    'Remove the coupon, or change the cart.',
  ],
  coupon_unknown: ['There is no coupon with this code.', 'Check the code, or leave it out.'],
  credit_insufficient: ['The customer has too little credit.', 'Use a smaller amount.'],
  credit_left: ['The customer still has credit.', 'Use it, or give it up explicitly.'],
  credit_note_empty: ['A credit note needs an amount above 0.', 'Send an amount.'],
  credit_note_too_large: [
    'The credit note is larger than the rest of the invoice.',
    'Send a smaller amount.',
  ],
  currencies: [
    'The invoices have different currencies.',
    'Pay the invoices of each currency separately.',
  ],
  currency_not_available: [
    'The plan is not sold in this currency.',
    'Choose one of its currencies.',
  ],
  currency_not_offered: [
    'The plan has no price in this currency.',
    'Choose one of its currencies.',
  ],
  currency_unsupported: [
    'The payment provider does not take this currency.',
    'Choose another gateway or currency.',
  ],
  cursor_ahead: [
    'The cursor is ahead of the feed.',
    'Acknowledge only cursors that the feed returned.',
  ],
  daemon_token_taken: ['The daemon token belongs to another node.', 'Issue a new token.'],
  announcement_published: [
    'The announcement is published.',
    'Correct its texts or its link, or send another one.',
  ],
  assignee_without_access: [
    'The member of staff does not work on tickets of this department.',
    'Choose another assignee or department.',
  ],
  attachment_blocked: [
    'Files with this ending cannot be downloaded.',
    'Ask the sender for another format.',
  ],
  attachment_not_usable: [
    'The files cannot be attached to the message.',
    'Upload them again and attach them within 24 hours; `details` says which ones and why.',
  ],
  backups_in_use: [
    'The server has more backups than the product allows.',
    'Delete backups, or choose another product.',
  ],
  databases_in_use: [
    'The server has more databases than the product allows.',
    'Delete databases, or choose another product.',
  ],
  dates_reversed: ['The end is not after the start.', 'Swap or correct the dates.'],
  decisions_missing: [
    'Renewals of an import cannot begin, because decisions are missing. `details` names each.',
    'Make the decisions, or send them with the request.',
  ],
  default_tenant: ['The default tenant cannot be suspended or closed.', 'Choose another tenant.'],
  delivery_closed: [
    'The delivery is done, failed or canceled.',
    'Read the deliveries of the service again.',
  ],
  delivery_fixed: [
    'The delivery of a product that was sold cannot be changed.',
    'Create another product with that delivery.',
  ],
  disk_in_use: [
    'The server uses more disk space than the product has.',
    'Free disk space, or choose a larger product.',
  ],
  disputes_open: ['A payment is disputed.', 'Wait until the dispute is closed.'],
  domain_required: ['An open shop needs a domain.', 'Send at least one domain.'],
  domain_taken: ['The domain belongs to another shop.', 'Choose another domain.'],
  effect_on_unlimited: [
    'An option adds to a resource that is unlimited in the product.',
    'Limit the resource in the product, or remove the effect.',
  ],
  draft_outdated: [
    'The text has changed since the given revision.',
    'Read the text again, then publish it.',
  ],
  effective_from_outside: [
    'The start of the tax rate lies outside the allowed range.',
    'Send a date within the range that the message names.',
  ],
  egg_differs: [
    'The server uses another egg than the product of the plan.',
    'Choose a plan of a product with the same egg.',
  ],
  egg_file_invalid: ['The egg file has invalid values.', 'Correct the fields in `details`.'],
  egg_file_unreadable: ['The file is not an egg.', 'Export the egg from the panel again.'],
  egg_format_unsupported: [
    'The version of the egg format is not supported.',
    'Export the egg from a supported panel version.',
  ],
  email_not_verified: [
    'The email address is not confirmed.',
    'Confirm it with the link in the mail.',
  ],
  endpoint_disabled: ['The webhook endpoint is disabled.', 'Enable it first.'],
  entry_booked: ['The bank entry is already booked.', 'Nothing needs to be done.'],
  entry_dismissed: ['The bank entry was dismissed.', 'Choose another entry.'],
  environment_invalid: [
    'A variable of the server has an invalid value.',
    'Correct the variables in `details`.',
  ],
  exempt_rate_not_zero: [
    'An exempt tax rate must be 0.',
    'Send 0 basis points, or another category.',
  ],
  expires_after_parent: [
    'The key would outlive the key that it is made with.',
    'Choose an earlier expiry.',
  ],
  expires_in_the_past: ['`expiresAt` is in the past.', 'Send a later instant.'],
  expiry_in_past: [
    'The end is not in the future.',
    'Send a later `expiresAt`, or `null` for none.',
  ],
  export_running: ['An export is already running.', 'Wait until it has finished.'],
  forbidden: [
    'The credential does not allow this request.',
    'Use a credential that is allowed to do it.',
  ],
  free_days_not_possible: [
    'The service has no paid period that free days could follow: its plan is hourly or sold once, it is a trial, or its renewals have not begun.',
    'Give credit to the customer instead, or wait for the first paid period.',
  ],
  free_days_running: [
    'The service has free days, which were given for the options that it has.',
    'Change its options when they are over.',
  ],
  foreign_origin: [
    'The form was sent from another page.',
    'Reload the page and send the form again.',
  ],
  gateway_credentials: [
    'The payment provider refuses the credentials.',
    'Check the keys and their mode.',
  ],
  gateway_settings: [
    'The settings of the payment gateway are invalid.',
    'Correct the settings that the message names.',
  ],
  gateway_unavailable: [
    'No payment gateway can be used for this.',
    'Enable a gateway, or choose another one.',
  ],
  gone: ['The object has expired or was already used.', 'Request a new one.'],
  has_administrator: [
    'The tenant already has an administrator.',
    'Sign in, or ask that administrator.',
  ],
  headers_too_large: [
    'The headers of the request are too large.',
    'Send fewer or shorter headers.',
  ],
  hold_in_the_past: ['The end of the hold is in the past.', 'Send a later instant.'],
  https_required: ['The URL must begin with https.', 'Use an HTTPS address.'],
  idempotency_key_reused: [
    'The Idempotency-Key was used for a different request.',
    'Use a new key for each intent.',
  ],
  image_unusable: [
    'The image cannot be used for the shop.',
    'Send a PNG, JPEG or still WebP within the limits.',
  ],
  immediate_start_required: [
    'A consumer must ask for an immediate start.',
    'Show the text of `GET /v1/billing/checkout/consent` and send `immediateStart: true`.',
  ],
  impersonated: [
    'The operation is not available while acting as another person.',
    'End the impersonation.',
  ],
  import_ended: ['The import has ended.', 'Start a new import.'],
  import_in_use: [
    'Records of the import are in use.',
    'The message names what uses them. The import stays.',
  ],
  import_running: ['Another import is running.', 'Wait for it, or cancel it.'],
  import_writing: [
    'The import is being written and cannot be cancelled.',
    'Wait until it has finished.',
  ],
  in_progress: [
    'The first request with this Idempotency-Key is still running.',
    'Repeat it after `Retry-After`.',
  ],
  incident_not_published: ['The incident is a draft.', 'Publish it first.'],
  incident_over: ['The incident or maintenance is over.', 'Add another one.'],
  incident_published: ['The incident is published.', 'Write an update instead.'],
  internal_error: [
    'An unexpected error occurred.',
    'Repeat the request later; report the request id if it persists.',
  ],
  invalid_cursor: [
    'The cursor is malformed, or belongs to another list or to other filters of this one.',
    'Start again without a cursor.',
  ],
  invalid_request: ['The request is malformed.', 'Correct the fields in `details`.'],
  invitation_closed: ['The invitation is no longer pending.', 'Ask for a new invitation.'],
  invitation_required: [
    'The shop takes new accounts by invitation only.',
    'Register with the link of an invitation, and with the address that it was sent to.',
  ],
  invoice_disputed: ['A payment of the invoice is disputed.', 'Wait until the dispute is closed.'],
  invoice_draft: ['The invoice is a draft.', 'Issue it first.'],
  invoice_due: ['An amount is still due.', 'Settle the invoice first.'],
  invoice_empty: ['An invoice needs at least one line.', 'Add a line.'],
  invoice_imported: [
    'The invoice comes from another system and cannot change.',
    'Issue a new document instead.',
  ],
  invoice_negative: ['The total of the invoice is negative.', 'Issue a credit note instead.'],
  invoice_not_issued: ['The invoice is not issued.', 'Issue it first.'],
  invoice_of_trial: [
    'The invoice is of a trial and has no document.',
    'Use the invoice of the first paid period.',
  ],
  invoice_open: [
    'The invoice is issued and unpaid.',
    'Read the invoice and choose an operation for its status.',
  ],
  invoice_paid: ['The invoice is paid.', 'Refund it or issue a credit note instead.'],
  invoice_partially_paid: ['A part of the invoice is paid.', 'Refund that part first.'],
  invoice_settled: ['Nothing is due on the invoice.', 'Nothing needs to be done.'],
  invoice_uncollectible: [
    'The invoice is written off.',
    'Read the invoice and choose an operation for its status.',
  ],
  invoice_void: ['The invoice is void.', 'Issue a new invoice.'],
  invoices_open: ['An invoice is unpaid.', 'Pay or void it first.'],
  last_department: [
    'Customers would have no department to write to.',
    'Add another department, or switch tickets off in the settings.',
  ],
  last_owner: ['The last owner must keep the role.', 'Make another person owner first.'],
  limit_reached: [
    'The limit of the account for this operation is reached.',
    'Wait for `Retry-After` seconds.',
  ],
  link_not_allowed: [
    'The text contains a web address, an email address or a domain name.',
    'Remove it from the field in `details`.',
  ],
  location_fixed: [
    'The server must stay in the location of its service.',
    'Name a panel connection or a location of a panel within it.',
  ],
  location_required: [
    'The product is sold in several locations.',
    'Choose one of them as `locationId`.',
  ],
  location_unknown: [
    'The product is not sold in this location.',
    'Choose a location of the order form of the product.',
  ],
  logo_unusable: ['The image cannot be used as a logo.', 'Send a PNG or JPEG within the limits.'],
  mail_over: ['The link in the mail has expired.', 'Trigger a new mail.'],
  maintenance_past: [
    'The planned end of the maintenance has passed.',
    'Change the times of the maintenance.',
  ],
  maintenance_soon: [
    'The maintenance begins in less than 24 hours.',
    'Plan it later, or publish it with `urgent`.',
  ],
  malformed_report: [
    'The daemon sent a malformed report.',
    'Send the report as the protocol defines it.',
  ],
  method_not_allowed: [
    'The path does not support this HTTP method.',
    'Use one of the methods in `Allow`.',
  ],
  mfa_not_enabled: ['No second factor is enabled.', 'Enable one first.'],
  name_taken: ['Another object has this name.', 'Choose another name.'],
  next_period_paid: ['The next period is already paid.', 'Nothing needs to be done.'],
  no_bank_transfers: [
    'The gateway does not take bank transfers.',
    'Choose a bank transfer gateway.',
  ],
  no_capacity: ['No node has room for the server.', 'Try again later, or choose another product.'],
  no_e_invoice: [
    'An electronic invoice cannot be made for this document.',
    'Use the PDF, or complete the data the message names.',
  ],
  no_mail_server: [
    'No mail server is configured.',
    'Set the mail server of the shop, or `SMTP_URL`.',
  ],
  no_matching_plan: [
    'The product has no plan with the period of the service.',
    'Choose another product.',
  ],
  no_panel: [
    'The egg is not on the panel connection.',
    'Choose another connection, or synchronise its eggs.',
  ],
  no_panel_account: [
    'The customer has no account on the panel of this service.',
    'Wait until the server is set up, then try again.',
  ],
  no_period: ['The plan has no periods.', 'Choose a recurring plan.'],
  no_portal: [
    'No payment provider offers a customer portal.',
    'Manage payment methods through the API.',
  ],
  no_price: ['The plan has no price in this currency.', 'Add a price.'],
  no_upgrade: ['No change of the service is under way.', 'Nothing needs to be done.'],
  not_a_consumer: ['Only consumers may withdraw from an order.', 'Cancel the service instead.'],
  not_an_upgrade_target: [
    'The service cannot change to this product.',
    'Choose one of the upgrade targets.',
  ],
  not_found: ['There is no such object for this caller.', 'Check the id and the credential.'],
  not_ordered: ['The service was not ordered here.', 'Cancel it instead.'],
  nothing_imported: ['The import did not import anything.', 'Choose another import.'],
  nothing_to_retry: ['No operation is pending for the service.', 'Nothing needs to be done.'],
  older_import_waits: [
    'Services of an older import of the same system do not renew here yet.',
    'Begin the renewals of that import first.',
  ],
  open_orders_limit: ['The customer has too many unpaid orders.', 'Pay or cancel one of them.'],
  open_services_limit: [
    'The customer has too many services that are not paid in advance.',
    'End one of them, or ask the shop for a higher limit.',
  ],
  option_invalid: [
    'The terms of an option contradict each other, or do not fit its products.',
    'Correct the fields in `details`.',
  ],
  option_key_taken: ['The group has an option with this key.', 'Choose another key.'],
  option_fixed: [
    'The options of a service that is paid for once cannot be changed.',
    'Order another service with the options that you want.',
  ],
  option_twice: [
    'A product would have two options with one key.',
    'Remove one of the groups from the product.',
  ],
  options_dropped: [
    'The new product does not offer all options that the service has.',
    'Name the options in `details` in `dropOptions` to give them up, or choose a value that is offered in `options`.',
  ],
  options_unchanged: [
    'The service has all of these options already.',
    'Send the options that are to change.',
  ],
  options_invalid: [
    'The chosen options cannot be ordered like this.',
    'Correct the options in `details`, each of which has a code of its own.',
  ],
  order_open: ['An unpaid order holds the same product.', 'Pay or cancel that order.'],
  other_account: [
    'The bank statement belongs to another account.',
    'Choose the gateway of that account.',
  ],
  out_of_stock: ['Not enough of the product is in stock.', 'Order fewer, or try again later.'],
  own_account: ['The operation is not possible on the own account.', 'Ask another administrator.'],
  own_address: ['The customer already has access to the service.', 'Invite another person.'],
  own_referral: [
    'The customer and the affiliate are the same person.',
    'Choose another affiliate, or none.',
  ],
  paid_ahead: ['The service is paid too far ahead.', 'Renew it later.'],
  panel_account_not_ours: [
    'The panel account existed before this shop used it.',
    'Reset its password on the panel.',
  ],
  panel_administrator: ['The account administers the panel.', 'Change its password on the panel.'],
  panel_failed: ['The game panel failed.', 'Check the panel, then try again.'],
  panel_outcome_unknown: [
    'The game panel did not confirm the operation.',
    'Read the state of the server before repeating it.',
  ],
  panel_timeout: ['The game panel did not answer in time.', 'Try again later.'],
  panel_unavailable: ['The game panel cannot be reached.', 'Try again later.'],
  passkey_known: ['The passkey is already registered.', 'Use another passkey.'],
  passkey_refused: ['The passkey was not accepted.', 'Start again.'],
  password_required: [
    'The current password is required.',
    'Send it in the field that the operation names.',
  ],
  password_too_weak: ['The password is too easy to guess.', 'Choose a longer password.'],
  payment_in_progress: ['A payment of the invoice is under way.', 'Wait for its result.'],
  payment_method_needed: [
    'The customer has services that are billed by the hour, and no other usable payment method.',
    'Add another payment method, or end these services first.',
  ],
  payment_method_refused: [
    'The payment provider refuses the payment method.',
    'Use another payment method.',
  ],
  payment_method_required: [
    'The order needs a saved payment method.',
    'Add a payment method; the message names alternatives.',
  ],
  payments_open: ['A payment or refund is under way.', 'Wait for its result.'],
  payout_in_future: [
    'The day of the payout is in the future.',
    'Send the day on which the payout was made.',
  ],
  payout_reference_taken: [
    'Another payout has this reference.',
    'Check the payouts of the affiliate, or use another reference.',
  ],
  period_end_required: ['The end of the paid period is required.', 'Send the date.'],
  period_invalid: ['The period ends before it starts.', 'Correct the dates.'],
  period_unpaid: ['The current period is unpaid.', 'Pay its invoice first.'],
  permission_missing: [
    'The caller does not have the required permission.',
    'Ask an administrator for the permission.',
  ],
  permission_unknown: ['There is no such permission.', 'Read `GET /v1/admin/rbac/permissions`.'],
  placeholder_unknown: [
    'A text has a placeholder that this kind of mail does not have.',
    'Use the placeholders that `details` lists.',
  ],
  plan_cycle_fixed: ['The billing period of a plan in use cannot change.', 'Create another plan.'],
  plan_gone: ['The plan no longer exists.', 'Choose another plan.'],
  plan_not_adoptable: ['A server cannot be adopted with a metered plan.', 'Choose a fixed plan.'],
  plan_not_changeable: ['A plan of this kind cannot change.', 'Order another service.'],
  plan_not_for_sale: ['The plan is no longer for sale.', 'Remove it from the cart.'],
  plan_not_renewable: ['A plan of this kind is not renewed.', 'Order another service.'],
  plan_not_upgradable: [
    'A service with this kind of plan cannot be upgraded.',
    'Order another service.',
  ],
  planned_change_failed: [
    'The last change that was planned for the service could not be made.',
    'Ask the shop to change the service; its staff can plan it.',
  ],
  platform_only: ['Only administrators of the platform may do this.', 'Use the default tenant.'],
  ports_in_use: [
    'The server has more ports than the product allows.',
    'Remove ports, or choose another product.',
  ],
  preference_locked: ['The notification cannot be turned off.', 'Leave it as it is.'],
  price_micros_mismatch: [
    'The price in micros does not match the price in cents.',
    'Send matching prices.',
  ],
  price_notice_too_short: [
    'The price change does not keep the notice period.',
    'Choose a later date.',
  ],
  price_twice: ['The plan has two prices in one currency.', 'Send one price per currency.'],
  product_incomplete: [
    'The product cannot be published because something that its delivery needs is missing.',
    'Correct the fields in `details`, then publish it again.',
  ],
  product_unknown: ['There is no such product.', 'Check the product ids in `details`.'],
  provider_failed: ['The payment provider did not answer.', 'Try again later.'],
  provisioning_invalid: [
    'The provisioning settings of the product are invalid.',
    'Correct the fields in `details`.',
  ],
  publication_past: ['The planned time has passed.', 'Send a later time, or publish it now.'],
  public_client: ['A public OAuth client has no secret.', 'Use a confidential client.'],
  quote_expired: [
    'The price has changed since the quote.',
    'Read the new quote in `details`, or ask for a new preview, and confirm it.',
  ],
  rate_limited: ['A rate limit is exceeded.', 'Wait for `Retry-After` seconds.'],
  read_only_key: ['The API key may only read.', 'Use a read-write key.'],
  reconciliation_not_ready: [
    'The reconciliation is made 7 or 30 days after renewals began.',
    'Try again after this time.',
  ],
  reference_used: ['Another refund has this reference.', 'Use another reference.'],
  refund_action_required: ['The refund waits for an action.', 'Read the refund to see which one.'],
  refund_canceled: ['The refund was cancelled.', 'Create another refund.'],
  refund_failed: ['The refund has failed.', 'Create another refund.'],
  refund_not_by_hand: ['The payment provider sends this refund.', 'Wait for the provider.'],
  refund_succeeded: ['The refund has already succeeded.', 'Nothing needs to be done.'],
  refund_too_large: [
    'The refund is larger than the rest of the payment.',
    'Send a smaller amount.',
  ],
  registration_closed: ['The shop takes no new accounts.', 'Contact the shop.'],
  renewals_begun: [
    'Renewals of the import have begun with another choice.',
    'Change the prices or settings themselves.',
  ],
  renewal_exists: ['The next period is already invoiced.', 'Pay that invoice.'],
  reopen_expired: ['The ticket was closed too long ago to be reopened.', 'Open a new ticket.'],
  reports_only: ['The token only allows reports.', 'Ask the panel instead.'],
  request_timeout: ['The request took too long to arrive.', 'Send it again.'],
  reversal_too_large: [
    'The reversal is larger than the rest of the invoice.',
    'Send a smaller amount.',
  ],
  role_in_use: ['The role is still assigned.', 'Remove it from all people and groups first.'],
  role_mapping_exists: ['The role mapping already exists.', 'Change the existing mapping.'],
  saved_reply_archived: [
    'The saved reply was archived.',
    'Choose another one, or send the text without it.',
  ],
  saved_reply_changed: [
    'The saved reply was changed after it was chosen.',
    'Choose it again to see what it does now.',
  ],
  saved_reply_not_usable: [
    'The saved reply is for another department, or moves the ticket to one that the caller does not see.',
    'Choose another one.',
  ],
  saved_with_payment: [
    'The provider saves a payment method only with a payment.',
    'Pay an invoice and save the method.',
  ],
  second_factor_required: [
    'The shop requires a second factor of its staff.',
    'Enable a second factor and sign in with it.',
  ],
  seller_country_missing: [
    'A VAT number needs the country of the seller.',
    'Send the country as well.',
  ],
  seller_incomplete: [
    'The change would remove a field that an invoice must have.',
    'Keep the fields in `details`.',
  ],
  sender_not_own: [
    'The sender address does not belong to a domain of the shop.',
    'Use an address of one of its domains, or ask the platform.',
  ],
  series_code_invalid: [
    'The code of the number series is invalid.',
    'Use the form that the message names.',
  ],
  server_busy: ['The server is busy.', 'Try again later.'],
  server_in_use: ['The server already belongs to a service.', 'Choose another server.'],
  server_not_found: ['The server is not on the panel.', 'Check the panel connection.'],
  service_busy: ['Another operation on the service is running.', 'Try again shortly.'],
  service_canceled: ['The service is cancelled for the end of its period.', 'Resume it first.'],
  service_ended: ['The service has ended.', 'Order a new one.'],
  service_ending: ['The service is being ended.', 'Nothing can be changed any more.'],
  service_managed: [
    'The service is on a panel connection.',
    'Use the operations of that connection.',
  ],
  service_not_active: ['The service is not active.', 'Read its status.'],
  service_not_canceled: ['The service is not cancelled.', 'Nothing needs to be done.'],
  service_not_suspended: ['The service is not suspended.', 'Nothing needs to be done.'],
  service_pending: ['The service is not paid yet.', 'Pay its invoice.'],
  service_unavailable: [
    'The service cannot answer now.',
    'Repeat the request after `Retry-After`.',
  ],
  service_unpaid: [
    'The payment of the service was taken back.',
    'Wait until it is paid again, or end the service.',
  ],
  service_without_server: [
    'The service is delivered without a server.',
    'Only services with a server can do this.',
  ],
  services_active: ['There are services that have not ended.', 'End them first.'],
  shop_not_ready: [
    'The shop does not sell yet: data of the seller is missing.',
    'Staff complete the fields in `details`; customers try again later.',
  ],
  shop_suspended: ['The shop is closed for the time being.', 'Try again later.'],
  sign_in_busy: ['Too many sign-ins are running.', 'Try again after `Retry-After` seconds.'],
  sign_in_failed: [
    'The address or the password is wrong, or the address of a new account is not confirmed yet.',
    'Check both. `POST /v1/auth/email/resend` sends the link that confirms the address again.',
  ],
  slug_taken: ['Another object has this slug.', 'Choose another slug.'],
  source_unknown: ['The source of the role mapping does not exist.', 'Check `sourceId`.'],
  source_without_id: ['The source of the role mapping takes no id.', 'Leave `sourceId` out.'],
  statement_unreadable: [
    'The bank statement cannot be read.',
    'Send a valid camt.053 or CSV file.',
  ],
  support_disabled: ['The shop does not take tickets.', 'Enable them in the settings.'],
  sync_lost: ['The panel connection changed during the synchronisation.', 'Start it again.'],
  sync_running: [
    'A synchronisation of the panel connection is running.',
    'Wait until it has finished.',
  ],
  system_role: ['The role belongs to the system and cannot change.', 'Create another role.'],
  task_claimed: [
    'Another member of staff has claimed the task.',
    'Claim it with `takeOver` to continue in their place.',
  ],
  task_closed: ['The task is done, failed or canceled.', 'Read the list of tasks again.'],
  tax_rate_overlap: ['The tax rate overlaps another one.', 'Change the dates.'],
  tax_rate_unknown: ['There is no such tax rate.', 'Check the id.'],
  terms_not_accepted: [
    'The customer has not accepted the latest version of the terms of sale.',
    'Show the terms, then send their version as `acceptedTermsVersion`.',
  ],
  test_only: ['A sandbox gateway takes no real money.', 'Use the mode `test`.'],
  ticket_changed: [
    'The ticket has a message that the author of the answer has not seen.',
    'Read it, and answer again.',
  ],
  ticket_closed: ['The ticket is closed.', 'Reopen it first.'],
  time_zone_unknown: ['There is no such time zone.', 'Send a name of the IANA time zone database.'],
  too_many_api_keys: ['The number of API keys is limited.', 'Revoke a key first.'],
  too_many_attempts: ['Too many failed attempts.', 'Wait for `Retry-After` seconds.'],
  too_many_passkeys: ['The number of passkeys is limited.', 'Remove a passkey first.'],
  too_many_role_mappings: ['The number of role mappings is limited.', 'Remove a mapping first.'],
  too_many_saved_replies: ['The number of saved replies is limited.', 'Archive one first.'],
  too_many_sends: ['The invitation was sent too often.', 'Share its link instead.'],
  too_many_streams: [
    'Too many event streams are open.',
    'Close one, or wait for `Retry-After` seconds.',
  ],
  too_many_tags: ['The number of tags of a ticket is limited.', 'Remove a tag first.'],
  too_many_views: ['The number of saved views is limited.', 'Delete a view first.'],
  top_up_not_owed: ['A credit top-up cannot be owed.', 'Void the invoice instead.'],
  top_up_not_refundable: [
    'A credit top-up is not refunded by a credit note.',
    'Adjust the credit instead.',
  ],
  totp_enabled: ['One-time codes are already enabled.', 'Disable them first.'],
  totp_not_started: ['Enrolment of one-time codes has not started.', 'Start it first.'],
  trial_not_possible: ['Only a recurring plan can have a trial.', 'Remove the trial days.'],
  trial_used: ['The customer has already had a trial of the product.', 'Order without a trial.'],
  unauthorized: [
    'There is no credential, or it is not valid.',
    'Sign in again or check the token.',
  ],
  unknown_parameter: [
    'The operation has no such query parameter.',
    'Correct the name; `details` suggests similar ones.',
  ],
  unknown_placeholder: [
    'The text has a placeholder that does not exist.',
    'Use one of those that the description of `texts` lists.',
  ],
  unmanaged: [
    'The service has no server on a connected panel.',
    'Attach it to a panel connection.',
  ],
  unpaid_orders_limit: [
    'The customer has placed too many unpaid orders today.',
    'Pay an order, or try again tomorrow.',
  ],
  unpaid_top_ups_limit: [
    'The customer has too many unpaid top-ups today.',
    'Pay one of them, or try again tomorrow.',
  ],
  unsupported_media_type: [
    'The media type or encoding of the body is not accepted.',
    'Send uncompressed JSON, or the type that the operation declares.',
  ],
  upgrade_in_progress: ['A change of the service is under way.', 'Wait for it, or cancel it.'],
  upstream_failed: ['A system that the service depends on failed.', 'Try again later.'],
  vat_number_country_mismatch: [
    'The VAT number belongs to another country.',
    'Correct the number or the country.',
  ],
  vat_number_invalid: ['The VAT number is malformed.', 'Correct the number.'],
  voucher_above_limit: [
    'The amount is higher than customers may redeem in a day.',
    'Send a lower `amountCents`, or raise `vouchers.redeemedPerDayCents`.',
  ],
  voucher_codes_deleted: [
    'The codes of the batch were deleted.',
    'The vouchers stay valid. Create another batch if the codes are lost.',
  ],
  voucher_codes_not_downloaded: [
    'The codes of the batch were never downloaded.',
    'Download them first.',
  ],
  voucher_codes_pending: [
    'The codes of the batch are still being created.',
    'Wait until `codes` of the batch is `available`.',
  ],
  voucher_daily_limit: [
    'The customer has redeemed as much as the shop allows in a day.',
    'Try again tomorrow.',
  ],
  voucher_expired: ['The voucher has expired.', 'Contact the shop.'],
  voucher_needs_confirmed_address: [
    'Vouchers can only be redeemed with a confirmed email address.',
    'Confirm the address with the link in the mail.',
  ],
  voucher_not_reopenable: [
    'Only a voucher that expired less than 90 days ago can be reopened.',
    'Create another voucher.',
  ],
  voucher_redeemed: ['The voucher has already been redeemed.', 'Use another code.'],
  voucher_unknown: [
    'No voucher of the shop has this code.',
    'Check the code. Too many wrong codes block further ones for a while.',
  ],
  voucher_void: ['The voucher or batch was made invalid by the shop.', 'Contact the shop.'],
  withdrawal_period_over: ['The withdrawal period is over.', 'Cancel the service instead.'],
  wrong_state: [
    'The status of the object does not allow the operation.',
    'Read the object and choose another operation.',
  ],
} as const satisfies Record<string, readonly [meaning: string, remedy: string]>

export type ProblemCode = keyof typeof PROBLEM_CODES
