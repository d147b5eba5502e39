#!/usr/bin/env node
/**
 * Kept as it was made beside the description of these dumps: it knows nothing of our importer.
 *
 * whmcs-dump.mjs - deterministic generator of realistic WHMCS SQL dumps.
 *
 * Plain Node >= 20, no dependency. All data is synthetic. The same options
 * always give the same SQL bytes and the same expected file.
 *
 * Usage
 *   node whmcs-dump.mjs --clients 500 --seed 7 --style mysqldump --mess --out dump.sql
 *
 * Options
 *   --clients N        ordinary clients to simulate (default 200); --mess adds ~45 crafted ones
 *   --seed S           any string (default "1")
 *   --style X          mysqldump   extended INSERT, no column list, backslash escapes (default)
 *                      phpmyadmin  column lists, one row per line, keys added by ALTER TABLE at the end
 *                      complete    one INSERT per row with column list, '' escapes, raw newlines in strings
 *   --gzip             write a gzip file (the name given by --out is used as it is)
 *   --out FILE         where to write; FILE.expected.json is written beside it
 *   --mess             add the nasty but legal cases (see `cases` in the expected file)
 *   --schema 7|8       7: passwords in tblclients, no tblusers. 8: tblusers and tblusers_clients.
 *                      Default: 8 with --mess, 7 without.
 *   --tax X            exclusive (default) or inclusive: how item amounts relate to the subtotal
 *   --noise K          log/e-mail/ticket rows per client, as a multiplier (default 1)
 *
 * Output is streamed: rows go to one part file per table, and the parts are then
 * joined in table order, so memory does not grow with the size of the dump
 * (apart from one short string per client e-mail and one object per affiliate).
 * About 7 kB per client: 14500 clients give 100 MB, 145000 give 1 GB. The part files
 * need as much free space again beside --out while it runs.
 *
 * FILE.expected.json holds
 *   tables    policy-free facts: rows and sums of every money column, per table
 *   import    what an import that follows the contract (whmcs-dump.md, section "Import
 *             contract") must report per resource: read = imported + merged + skipped + failed
 *   controls  money control totals in integer cents, per resource and currency, split into
 *             source / imported / skipped, where source = imported + skipped
 *   plans, hashes, statuses, warnings, cases, samples, decoded, logins: see the document
 */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import crypto from 'node:crypto';
import { once } from 'node:events';

const GENERATOR = { name: 'whmcs-dump', version: '1.0.0' };

// ---------------------------------------------------------------------------
// Options
// ---------------------------------------------------------------------------

function parseArgs(argv) {
  const o = {
    clients: 200, seed: '1', style: 'mysqldump', gzip: false, out: null,
    mess: false, schema: null, tax: 'exclusive', noise: 1,
  };
  const need = (i) => {
    if (i + 1 >= argv.length) die(`${argv[i]} needs a value`);
    return argv[i + 1];
  };
  for (let i = 0; i < argv.length; i++) {
    const a = argv[i];
    if (a === '--gzip') o.gzip = true;
    else if (a === '--mess') o.mess = true;
    else if (a === '--help' || a === '-h') { printHelp(); process.exit(0); }
    else if (a === '--clients') o.clients = Number(need(i++));
    else if (a === '--seed') o.seed = need(i++);
    else if (a === '--style') o.style = need(i++);
    else if (a === '--out') o.out = need(i++);
    else if (a === '--schema') o.schema = Number(need(i++));
    else if (a === '--tax') o.tax = need(i++);
    else if (a === '--noise') o.noise = Number(need(i++));
    else die(`unknown option ${a}`);
  }
  if (!Number.isInteger(o.clients) || o.clients < 1) die('--clients must be a positive integer');
  if (!['mysqldump', 'phpmyadmin', 'complete'].includes(o.style)) die(`unknown style ${o.style}`);
  if (!['exclusive', 'inclusive'].includes(o.tax)) die('--tax must be exclusive or inclusive');
  if (!(o.noise >= 0)) die('--noise must be a number >= 0');
  if (o.schema === null) o.schema = o.mess ? 8 : 7;
  if (o.schema !== 7 && o.schema !== 8) die('--schema must be 7 or 8');
  if (!o.out) o.out = `whmcs-${o.style}-${o.clients}.sql${o.gzip ? '.gz' : ''}`;
  return o;
}

function die(message) {
  process.stderr.write(`whmcs-dump: ${message}\n`);
  process.exit(2);
}

function printHelp() {
  const text = fs.readFileSync(new URL(import.meta.url), 'utf8');
  process.stdout.write(`${text.slice(text.indexOf('/**') + 4, text.indexOf('*/')).replace(/^ \* ?/gm, '')}\n`);
}

const opt = parseArgs(process.argv.slice(2));
const V8 = opt.schema === 8;
const MESS = opt.mess;

// ---------------------------------------------------------------------------
// Deterministic randomness, dates, money
// ---------------------------------------------------------------------------

/** sfc32 seeded from a string: integer arithmetic only, so it is the same everywhere. */
class Rng {
  constructor(key) {
    let h = 1779033703 ^ key.length;
    for (let i = 0; i < key.length; i++) {
      h = Math.imul(h ^ key.charCodeAt(i), 3432918353);
      h = (h << 13) | (h >>> 19);
    }
    const next = () => {
      h = Math.imul(h ^ (h >>> 16), 2246822507);
      h = Math.imul(h ^ (h >>> 13), 3266489909);
      h ^= h >>> 16;
      return h >>> 0;
    };
    this.a = next(); this.b = next(); this.c = next(); this.d = next();
    for (let i = 0; i < 12; i++) this.u32();
  }
  u32() {
    const t = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + t) | 0;
    return t >>> 0;
  }
  int(lo, hi) { return lo + (this.u32() % (hi - lo + 1)); }
  chance(p) { return this.u32() < p * 4294967296; }
  pick(list) { return list[this.u32() % list.length]; }
  weighted(pairs) {
    let total = 0;
    for (const [, w] of pairs) total += w;
    let x = this.u32() % total;
    for (const [v, w] of pairs) { if (x < w) return v; x -= w; }
    return pairs[pairs.length - 1][0];
  }
  hex(n) {
    let s = '';
    while (s.length < n) s += this.u32().toString(16).padStart(8, '0');
    return s.slice(0, n);
  }
  base64(bytes) { return Buffer.from(this.hex(bytes * 2), 'hex').toString('base64'); }
  from(alphabet, n) {
    let s = '';
    for (let i = 0; i < n; i++) s += alphabet[this.u32() % alphabet.length];
    return s;
  }
}

const DAY_MS = 86400000;
const dayOf = (y, m, d) => Math.floor(Date.UTC(y, m - 1, d) / DAY_MS);
const END = dayOf(2025, 6, 30); // the day the dump was "taken"
const dayCache = new Map();
function fmtDay(n) {
  let s = dayCache.get(n);
  if (s === undefined) {
    s = new Date(n * DAY_MS).toISOString().slice(0, 10);
    dayCache.set(n, s);
  }
  return s;
}
function addMonths(n, k) {
  const d = new Date(n * DAY_MS);
  const y = d.getUTCFullYear();
  const m = d.getUTCMonth() + k;
  const last = new Date(Date.UTC(y, m + 1, 0)).getUTCDate();
  return Math.floor(Date.UTC(y, m, Math.min(d.getUTCDate(), last)) / DAY_MS);
}
const two = (n) => (n < 10 ? `0${n}` : `${n}`);
const clock = (r) => `${two(r.int(0, 23))}:${two(r.int(0, 59))}:${two(r.int(0, 59))}`;
const fmtDateTime = (day, r) => `${fmtDay(day)} ${clock(r)}`;
const ZERO_DATE = '0000-00-00';
const ZERO_DT = '0000-00-00 00:00:00';

/** integer cents -> DECIMAL literal */
function fmtMoney(cents) {
  if (!Number.isSafeInteger(cents)) throw new Error(`bad cents ${cents}`);
  const neg = cents < 0;
  const s = String(neg ? -cents : cents).padStart(3, '0');
  return `${neg ? '-' : ''}${s.slice(0, -2)}.${s.slice(-2)}`;
}
/** round half away from zero of cents * rate, with the rate in thousandths of a percent */
function percentOf(cents, milli) {
  const neg = cents < 0;
  const v = Math.floor(((neg ? -cents : cents) * milli * 2 + 100000) / 200000);
  return neg ? -v : v;
}
const fmtRate3 = (milli) => `${Math.floor(milli / 1000)}.${String(milli % 1000).padStart(3, '0')}`;

// ---------------------------------------------------------------------------
// Schema. One line per column: name kind. A trailing @8 means "schema 8 only".
// The shape follows WHMCS 7.10 and 8.3 as seen by public importers; it is not a copy of any file.
// ---------------------------------------------------------------------------

const KINDS = {
  id: { sql: 'int(10) NOT NULL', def: null, lit: 'int' },
  uid: { sql: 'int(10) unsigned NOT NULL', def: null, lit: 'int' },
  int: { sql: "int(10) NOT NULL DEFAULT '0'", def: 0, lit: 'int' },
  uint: { sql: "int(10) unsigned NOT NULL DEFAULT '0'", def: 0, lit: 'int' },
  one: { sql: "int(10) unsigned NOT NULL DEFAULT '1'", def: 1, lit: 'int' },
  intnull: { sql: 'int(10) unsigned DEFAULT NULL', def: null, lit: 'int' },
  tiny: { sql: "tinyint(4) NOT NULL DEFAULT '0'", def: 0, lit: 'int' },
  big: { sql: "bigint(20) NOT NULL DEFAULT '0'", def: 0, lit: 'int' },
  money: { sql: "decimal(16,2) NOT NULL DEFAULT '0.00'", def: 0, lit: 'money' },
  rate5: { sql: "decimal(16,5) NOT NULL DEFAULT '1.00000'", def: '1.00000', lit: 'dec' },
  rate3: { sql: "decimal(10,3) NOT NULL DEFAULT '0.000'", def: '0.000', lit: 'dec' },
  dec2: { sql: "decimal(10,2) DEFAULT '0.00'", def: '0.00', lit: 'dec' },
  text: { sql: 'text NOT NULL', def: '', lit: 'str' },
  textnull: { sql: 'text', def: null, lit: 'str' },
  mtext: { sql: 'mediumtext NOT NULL', def: '', lit: 'str' },
  blob: { sql: 'blob NOT NULL', def: '', lit: 'blob' },
  lblob: { sql: 'longblob NOT NULL', def: '', lit: 'blob' },
  date: { sql: 'date NOT NULL', def: ZERO_DATE, lit: 'str' },
  datenull: { sql: 'date DEFAULT NULL', def: null, lit: 'str' },
  dt: { sql: "datetime NOT NULL DEFAULT '0000-00-00 00:00:00'", def: ZERO_DT, lit: 'str' },
  dtnull: { sql: 'datetime DEFAULT NULL', def: null, lit: 'str' },
  ts: { sql: "timestamp NOT NULL DEFAULT '0000-00-00 00:00:00'", def: ZERO_DT, lit: 'str' },
};
const SERVICE_STATES = ['Pending', 'Active', 'Suspended', 'Terminated', 'Cancelled', 'Fraud', 'Completed'];

function kindOf(word) {
  if (KINDS[word]) return KINDS[word];
  let m = /^v(\d+)$/.exec(word);
  if (m) return { sql: `varchar(${m[1]}) NOT NULL DEFAULT ''`, def: '', lit: 'str' };
  m = /^enum:(.+)$/.exec(word);
  if (m) {
    const values = m[1].split('|').map((s) => s.replace(/_/g, ' '));
    return { sql: `enum(${values.map((v) => `'${v}'`).join(',')}) NOT NULL`, def: values[0], lit: 'str' };
  }
  throw new Error(`unknown kind ${word}`);
}

const STATE_ENUM = `enum:${SERVICE_STATES.join('|')}`;
const numbered = (from, to, f) => Array.from({ length: to - from + 1 }, (_, i) => f(from + i)).join('\n');

const SCHEMA = {
  tblaccounts: `id id
    userid int
    currency int
    gateway text
    date dtnull
    description text
    amountin money
    fees money
    amountout money
    rate rate5
    transid text
    invoiceid int
    refundid int`,
  tblactivitylog: `id id
    date dt
    description text
    user text
    userid int
    ipaddr text`,
  tbladdons: `id id
    packages text
    name text
    description text
    billingcycle text
    allowqty uint @8
    tax tiny
    showorder tiny
    hidden tiny
    retired tiny
    downloads text
    autoactivate text
    suspendproduct tiny
    welcomeemail int
    type v16
    module v32
    server_group_id int
    weight int
    autolinkby text
    created_at ts
    updated_at ts`,
  tbladmins: `id id
    uuid v255
    roleid int
    username text
    password v255
    passwordhash v255
    authmodule text
    authdata text
    firstname text
    lastname text
    email text
    signature text
    notes text
    template text
    language text
    disabled tiny
    loginattempts int
    supportdepts text
    created_at ts
    updated_at ts`,
  tblaffiliates: `id id
    date datenull
    clientid int
    visitors int
    paytype text
    payamount money
    onetime tiny
    balance money
    withdrawn money
    created_at ts
    updated_at ts`,
  tblaffiliatesaccounts: `id id
    affiliateid int
    relid int
    lastpaid date
    created_at ts
    updated_at ts`,
  tblaffiliateshistory: `id id
    affiliateid int
    date date
    affaccid int
    invoice_id uint @8
    description text
    amount money
    created_at ts
    updated_at ts`,
  tblaffiliatespending: `id id
    affaccid int
    invoice_id uint @8
    amount money
    clearingdate date
    created_at ts
    updated_at ts`,
  tblaffiliateswithdrawals: `id id
    affiliateid int
    date date
    amount money
    created_at ts
    updated_at ts`,
  tblcancelrequests: `id id
    date dt
    relid int
    reason text
    type text
    created_at ts
    updated_at ts`,
  tblclientgroups: `id id
    groupname v45
    groupcolour v45
    discountpercent dec2
    susptermexempt textnull
    separateinvoices text`,
  tblclients: `id id
    uuid v255
    firstname text
    lastname text
    companyname text
    email text
    address1 text
    address2 text
    city text
    state text
    postcode text
    country text
    phonenumber text
    tax_id v128
    password text
    authmodule text
    authdata text
    currency int
    defaultgateway text
    credit money
    taxexempt tiny
    latefeeoveride tiny
    overideduenotices tiny
    separateinvoices tiny
    disableautocc tiny
    datecreated date
    notes text
    billingcid int
    securityqid int
    securityqans text
    groupid int
    cardtype v255
    cardlastfour text
    cardnum blob
    startdate blob
    expdate blob
    issuenumber blob
    bankname text
    banktype text
    bankcode blob
    bankacct blob
    gatewayid text
    lastlogin dtnull
    ip text
    host text
    status enum:Active|Inactive|Closed
    language text
    pwresetkey text
    emailoptout int
    marketing_emails_opt_in uint
    overrideautoclose int
    allow_sso tiny
    email_verified tiny
    email_preferences textnull
    created_at ts
    updated_at ts
    pwresetexpiry ts`,
  tblconfiguration: `id id
    setting v64
    value text
    created_at ts
    updated_at ts`,
  tblcontacts: `id id
    userid int
    firstname text
    lastname text
    companyname text
    email text
    address1 text
    address2 text
    city text
    state text
    postcode text
    country text
    phonenumber text
    tax_id v128
    subaccount int
    password text
    permissions text
    domainemails tiny
    generalemails tiny
    invoiceemails tiny
    productemails tiny
    supportemails tiny
    affiliateemails tiny
    pwresetkey text
    created_at ts
    updated_at ts
    pwresetexpiry ts`,
  tblcredit: `id id
    clientid int
    admin_id uint @8
    date datenull
    description text
    amount money
    relid int`,
  tblcreditcards: `id id
    pay_method_id int
    card_type v255
    last_four v255
    expiry_date dt
    card_data blob
    created_at ts
    updated_at ts
    deleted_at dtnull`,
  tblcurrencies: `id id
    code text
    prefix text
    suffix text
    format int
    rate rate5
    default int`,
  tblcustomfields: `id id
    type text
    relid int
    fieldname text
    fieldtype text
    description text
    fieldoptions text
    regexpr text
    adminonly text
    required text
    showorder text
    showinvoice text
    sortorder int
    created_at ts
    updated_at ts`,
  tblcustomfieldsvalues: `id uid
    fieldid int
    relid int
    value text
    created_at ts
    updated_at ts`,
  tbldomains: `id id
    userid int
    orderid int
    type enum:Register|Transfer
    registrationdate date
    domain text
    firstpaymentamount money
    recurringamount money
    registrar text
    registrationperiod int
    expirydate datenull
    subscriptionid text
    promoid int
    status v20
    nextduedate date
    nextinvoicedate date
    additionalnotes text
    paymentmethod text
    dnsmanagement int
    emailforwarding int
    idprotection int
    donotrenew int
    reminders text
    synced int
    created_at ts
    updated_at ts`,
  tblemails: `id id
    userid int
    subject text
    message mtext
    date dtnull
    to textnull
    cc textnull
    bcc textnull`,
  tblhosting: `id id
    userid int
    orderid int
    packageid int
    server int
    regdate date
    domain text
    paymentmethod text
    qty one @8
    firstpaymentamount money
    amount money
    billingcycle text
    nextduedate datenull
    nextinvoicedate date
    termination_date date
    completed_date date
    domainstatus ${STATE_ENUM}
    username text
    password text
    notes text
    subscriptionid text
    promoid int
    promocount int @8
    suspendreason text
    overideautosuspend tiny
    overidesuspenduntil date
    dedicatedip text
    assignedips text
    ns1 text
    ns2 text
    diskusage int
    disklimit int
    bwusage int
    bwlimit int
    lastupdate dt
    created_at ts
    updated_at ts`,
  tblhostingaddons: `id id
    orderid int
    hostingid int
    addonid int
    userid int
    server int
    name text
    qty one @8
    firstpaymentamount money @8
    setupfee money
    recurring money
    billingcycle text
    tax text
    status ${STATE_ENUM}
    regdate date
    nextduedate datenull
    nextinvoicedate date
    termination_date date
    proratadate date
    paymentmethod text
    notes text
    subscriptionid v128
    created_at ts
    updated_at ts`,
  tblhostingconfigoptions: `id id
    relid int
    configid int
    optionid int
    qty int`,
  tblinvoiceitems: `id id
    invoiceid int
    userid int
    type v30
    relid int
    description text
    amount money
    taxed int
    duedate datenull
    paymentmethod text
    notes text`,
  tblinvoices: `id id
    userid int
    invoicenum text
    date datenull
    duedate datenull
    datepaid dt
    last_capture_attempt ts
    date_refunded ts
    date_cancelled ts
    subtotal money
    credit money
    tax money
    tax2 money
    total money
    taxrate rate3
    taxrate2 rate3
    status text
    paymentmethod text
    paymethodid intnull
    notes text
    created_at ts
    updated_at ts`,
  tblorders: `id id
    ordernum big
    userid int
    contactid int
    requestor_id uint @8
    admin_requestor_id uint @8
    date dt
    nameservers text
    transfersecret text
    renewals text
    promocode text
    promotype text
    promovalue text
    orderdata text
    amount money
    paymentmethod text
    invoiceid int
    status text
    ipaddress text
    fraudmodule text
    fraudoutput text
    notes text`,
  tblorderstatuses: `id id
    title text
    color text
    showpending int
    showactive int
    showcancelled int
    sortorder int`,
  tblpaymentgateways: `id id
    gateway text
    setting text
    value text
    order int`,
  tblpaymethods: `id id
    userid int
    description v255
    contact_id int
    contact_type v255
    payment_id int
    payment_type v255
    gateway_name v64
    order_preference int
    created_at ts
    updated_at ts
    deleted_at dtnull`,
  tblpricing: `id id
    type enum:product|addon|configoptions|domainregister|domaintransfer|domainrenew|domainaddons|usage
    currency int
    relid int
    msetupfee money
    qsetupfee money
    ssetupfee money
    asetupfee money
    bsetupfee money
    tsetupfee money
    monthly money
    quarterly money
    semiannually money
    annually money
    biennially money
    triennially money`,
  tblproductconfiggroups: `id id
    name text
    description text`,
  tblproductconfiglinks: `id id
    gid int
    pid int`,
  tblproductconfigoptions: `id id
    gid int
    optionname text
    optiontype text
    qtyminimum int
    qtymaximum int
    order int
    hidden int`,
  tblproductconfigoptionssub: `id id
    configid int
    optionname text
    sortorder int
    hidden int`,
  tblproductgroups: `id id
    name text
    slug v128 @8
    headline textnull
    tagline textnull
    orderfrmtpl text
    disabledgateways text
    hidden tiny
    order int
    created_at ts
    updated_at ts`,
  tblproducts: `id id
    type text
    gid int
    name text
    slug v128 @8
    description text
    hidden tiny
    showdomainoptions tiny
    welcomeemail int
    stockcontrol tiny
    qty int
    proratabilling tiny
    proratadate int
    proratachargenextmonth int
    paytype text
    allowqty int
    subdomain text
    autosetup text
    servertype text
    servergroup int
    ${numbered(1, 24, (n) => `configoption${n} text`)}
    freedomain text
    freedomainpaymentterms text
    freedomaintlds text
    recurringcycles int
    autoterminatedays int
    autoterminateemail int
    configoptionsupgrade tiny
    billingcycleupgrade text
    upgradeemail int
    overagesenabled v10
    overagesdisklimit int
    overagesbwlimit int
    overagesdiskprice rate5
    overagesbwprice rate5
    tax tiny
    affiliateonetime tiny
    affiliatepaytype text
    affiliatepayamount money
    order int
    retired tiny
    is_featured tiny
    created_at ts
    updated_at ts`,
  tblpromotions: `id id
    code text
    type text
    recurring int
    value money
    cycles text
    appliesto text
    requires text
    requiresexisting int
    startdate date
    expirationdate datenull
    maxuses int
    uses int
    lifetimepromo int
    applyonce int
    newsignups int
    existingclient int
    onceperclient int
    recurfor int
    upgrades int
    upgradeconfig text
    notes text`,
  tblservers: `id id
    name text
    ipaddress text
    assignedips text
    hostname text
    monthlycost money
    noc text
    statusaddress text
    nameserver1 text
    nameserver1ip text
    nameserver2 text
    nameserver2ip text
    maxaccounts int
    type text
    username text
    password text
    accesshash text
    secure text
    port intnull
    active int
    disabled int`,
  tbltax: `id id
    level int
    name text
    state text
    country text
    taxrate rate3`,
  tblticketreplies: `id id
    tid int
    userid int
    contactid int
    name text
    email text
    date dt
    message mtext
    admin text
    attachment text
    rating int`,
  tbltickets: `id id
    tid v128
    did int
    userid int
    contactid int
    name text
    email text
    cc text
    c text
    date dt
    title text
    message mtext
    status v64
    urgency text
    admin text
    attachment text
    lastreply dt
    flag int
    clientunread int
    adminunread text
    service text`,
  tblupgrades: `id id
    userid int
    orderid int
    type v13
    date date
    relid int
    originalvalue text
    newvalue text
    new_cycle v30
    amount money
    credit_amount money
    days_remaining int
    total_days_in_cycle int
    new_recurring_amount money
    recurringchange money
    status v9
    paid v1`,
};
if (V8) {
  SCHEMA.tblusers = `id uid
    first_name v255
    last_name v255
    email v255
    password v255
    language v32
    second_factor v255
    second_factor_config textnull
    remember_token v100
    reset_token v100
    security_question_id uint
    security_question_answer v255
    last_ip v64
    last_hostname v255
    last_login dtnull
    email_verification_token v100
    email_verification_token_expiry dtnull
    email_verified_at dtnull
    reset_token_expiry dtnull
    created_at dtnull
    updated_at dtnull`;
  SCHEMA.tblusers_clients = `id uid
    auth_user_id uint
    client_id uint
    invite_id uint
    owner uint
    permissions textnull
    last_login dtnull
    created_at dtnull
    updated_at dtnull`;
}
if (MESS) {
  // A third-party addon's table, and a table of another program living in the same database.
  SCHEMA.mod_discordlink = `id id
    client_id int
    discord_id v64
    token lblob
    created_at ts`;
  SCHEMA.wp_users = `ID id
    user_login v60
    user_pass v255
    user_email v100
    user_registered dt`;
}

const UNIQUE_KEYS = { tblusers: ['email'], tblusers_clients: ['auth_user_id`,`client_id'] };
const EXTRA_KEYS = {
  tblaccounts: ['userid', 'invoiceid'],
  tblclients: ['status'],
  tblhosting: ['userid', 'packageid'],
  tblinvoiceitems: ['invoiceid', 'userid'],
  tblinvoices: ['userid'],
  tblorders: ['userid'],
  tblpricing: ['relid'],
  tblcredit: ['clientid'],
};

// ---------------------------------------------------------------------------
// Literals. Everything is built as a "binary" string (one char per byte) so that
// raw blob bytes and UTF-8 text can live in one file, as they do in real dumps.
// ---------------------------------------------------------------------------

const ASCII = /^[\x00-\x7f]*$/;
const utf8bin = (s) => (ASCII.test(s) ? s : Buffer.from(s, 'utf8').toString('latin1'));

const BACKSLASH = { '\0': '\\0', '\n': '\\n', '\r': '\\r', '\\': '\\\\', "'": "\\'", '"': '\\"', '\x1a': '\\Z' };
const BACKSLASH_RE = /[\0\n\r\\'"\x1a]/g;
const BACKSLASH_TEST = /[\0\n\r\\'"\x1a]/;
// "complete" style: quotes are doubled, newlines stay raw. Backslash, CR, NUL and ^Z still need an escape.
const DOUBLING = { '\0': '\\0', '\r': '\\r', '\\': '\\\\', "'": "''", '\x1a': '\\Z' };
const DOUBLING_RE = /[\0\r\\'\x1a]/g;

function quote(s) {
  const b = utf8bin(s);
  if (opt.style === 'complete') return `'${b.replace(DOUBLING_RE, (ch) => DOUBLING[ch])}'`;
  return BACKSLASH_TEST.test(b) ? `'${b.replace(BACKSLASH_RE, (ch) => BACKSLASH[ch])}'` : `'${b}'`;
}

function blobLiteral(v) {
  if (v === '' || v.length === 0) return "''"; // "0x" alone would be a syntax error
  const buf = Buffer.isBuffer(v) ? v : Buffer.from(v, 'latin1');
  if (opt.style === 'phpmyadmin') return `0x${buf.toString('hex')}`;
  if (opt.style === 'complete') return `X'${buf.toString('hex').toUpperCase()}'`;
  return `_binary '${buf.toString('latin1').replace(BACKSLASH_RE, (ch) => BACKSLASH[ch])}'`;
}

function literal(kind, v) {
  if (v === null) return 'NULL';
  switch (kind.lit) {
    case 'int': return String(v);
    case 'money': return opt.style === 'mysqldump' ? fmtMoney(v) : `'${fmtMoney(v)}'`;
    case 'dec': return opt.style === 'mysqldump' ? v : `'${v}'`;
    case 'blob': return blobLiteral(v);
    default: return quote(v);
  }
}

// ---------------------------------------------------------------------------
// One writer per table: formats rows, splits statements, counts, sums.
// ---------------------------------------------------------------------------

const STATEMENT_LIMIT = { mysqldump: 1_000_000, phpmyadmin: 50_000, complete: 0 };

class TableWriter {
  constructor(name, dir) {
    this.name = name;
    this.columns = [];
    for (const line of SCHEMA[name].split('\n')) {
      const [col, word, flag] = line.trim().split(/\s+/);
      if (!col || (flag === '@8' && !V8)) continue;
      const kind = kindOf(word);
      this.columns.push({ name: col, kind, def: kind.def === undefined ? null : kind.def });
    }
    for (const c of this.columns) c.defLit = literal(c.kind, c.def);
    this.known = new Set(this.columns.map((c) => c.name));
    // In "complete" style the column list may come in any order; real exports by other tools do that.
    this.order = MESS && opt.style === 'complete' && name === 'tblinvoices'
      ? [...this.columns].reverse() : this.columns;
    const list = `(${this.order.map((c) => `\`${c.name}\``).join(', ')})`;
    this.verb = 'INSERT INTO';
    if (MESS && opt.style === 'complete') {
      if (name === 'tblconfiguration') this.verb = 'REPLACE INTO';
      if (name === 'tblorders') this.verb = 'INSERT IGNORE INTO';
    }
    if (opt.style === 'mysqldump') this.prefix = `${this.verb} \`${name}\` VALUES `;
    else if (opt.style === 'phpmyadmin') this.prefix = `${this.verb} \`${name}\` ${list} VALUES\n`;
    else this.prefix = `${this.verb} \`${name}\` ${list} VALUES `;
    this.separator = opt.style === 'phpmyadmin' ? ',\n' : ',';
    this.limit = STATEMENT_LIMIT[opt.style];
    // --net-buffer-length can be raised: one very long line for the noisiest table.
    if (MESS && opt.style === 'mysqldump' && name === 'tblemails') this.limit = 8_000_000;
    this.file = path.join(dir, `${name}.part`);
    this.fd = fs.openSync(this.file, 'w');
    this.buffer = [];
    this.buffered = 0;
    this.statement = 0;
    this.rows = 0;
    this.maxId = 0;
    this.sums = {};
    for (const c of this.columns) if (c.kind.lit === 'money') this.sums[c.name] = 0;
  }

  add(row) {
    let text = '(';
    let first = true;
    for (const c of this.order) {
      const v = row[c.name];
      if (first) first = false; else text += ',';
      if (v === undefined) { text += c.defLit; continue; }
      if (c.kind.lit === 'money') this.sums[c.name] += v;
      text += literal(c.kind, v);
    }
    text += ')';
    if (V8 && this.rows < 50) for (const k in row) if (!this.known.has(k)) throw new Error(`${this.name}.${k} is not a column`);
    this.rows++;
    const id = row.id ?? row.ID ?? 0;
    if (id > this.maxId) this.maxId = id;
    if (this.statement === 0) {
      this.put(this.prefix + text);
      this.statement = this.prefix.length + text.length;
    } else if (this.statement + text.length + 2 > this.limit) {
      this.put(`;\n${this.prefix}${text}`);
      this.statement = this.prefix.length + text.length;
    } else {
      this.put(this.separator + text);
      this.statement += this.separator.length + text.length;
    }
  }

  put(s) {
    this.buffer.push(s);
    this.buffered += s.length;
    if (this.buffered > 1 << 18) this.flush();
  }

  flush() {
    if (this.buffered === 0) return;
    fs.writeSync(this.fd, Buffer.from(this.buffer.join(''), 'latin1'));
    this.buffer = [];
    this.buffered = 0;
  }

  close() {
    if (this.statement > 0) this.put(';\n');
    this.flush();
    fs.closeSync(this.fd);
  }

  ddl() {
    const charset = MESS ? 'utf8mb4' : 'utf8';
    const collate = MESS ? 'utf8mb4_unicode_ci' : 'utf8_unicode_ci';
    const pk = this.columns[0].name;
    const lines = this.columns.map((c) => {
      const auto = c.name === pk && opt.style !== 'phpmyadmin' ? ' AUTO_INCREMENT' : '';
      const coll = /text|varchar|enum/.test(c.kind.sql)
        ? c.kind.sql.replace(/^(\S*text|varchar\(\d+\)|enum\([^)]*\))/, `$1 COLLATE ${collate}`) : c.kind.sql;
      return `  \`${c.name}\` ${coll}${auto}`;
    });
    if (opt.style !== 'phpmyadmin') {
      lines.push(`  PRIMARY KEY (\`${pk}\`)`);
      for (const k of UNIQUE_KEYS[this.name] ?? []) lines.push(`  UNIQUE KEY \`uniq\` (\`${k}\`)`);
      for (const k of EXTRA_KEYS[this.name] ?? []) lines.push(`  KEY \`${k}\` (\`${k}\`)`);
    }
    const auto = opt.style !== 'phpmyadmin' && this.maxId > 0 ? ` AUTO_INCREMENT=${this.maxId + 1}` : '';
    return `CREATE TABLE \`${this.name}\` (\n${lines.join(',\n')}\n) ENGINE=InnoDB${auto} DEFAULT CHARSET=${charset} COLLATE=${collate};\n`;
  }
}

const partsDir = `${opt.out}.parts`;
fs.mkdirSync(path.dirname(path.resolve(opt.out)), { recursive: true });
fs.rmSync(partsDir, { recursive: true, force: true });
fs.mkdirSync(partsDir, { recursive: true });
const tables = {};
for (const name of Object.keys(SCHEMA).sort()) tables[name] = new TableWriter(name, partsDir);
const emit = (table, row) => tables[table].add(row);
const counters = {};
const nextId = (table) => (counters[table] = (counters[table] ?? 0) + 1);

// ---------------------------------------------------------------------------
// Expected results under the import contract
// ---------------------------------------------------------------------------

const MAX_IDS = 200;
const results = {};
const controls = {};
const statuses = {};
const warnings = {};
const cases = {};
const samples = [];
const decoded = []; // text that WHMCS stores HTML-escaped, and what a person should see
const logins = [];
const hashes = {};

/** One source row, one outcome. `fields` are money columns in cents. */
function record(resource, table, id, result, reason, currency, fields) {
  const R = (results[resource] ??= { table, read: 0, imported: 0, merged: 0, skipped: 0, failed: 0, reasons: {} });
  R.read++;
  R[result]++;
  if (reason) {
    const x = (R.reasons[reason] ??= { count: 0, ids: [] });
    x.count++;
    if (x.ids.length < MAX_IDS) x.ids.push(id);
  }
  if (fields) {
    const C = (controls[resource] ??= { source: {}, imported: {}, skipped: {} });
    addMoney(C.source, currency, fields);
    addMoney(result === 'skipped' || result === 'failed' ? C.skipped : C.imported, currency, fields);
  }
}
function addMoney(bucket, currency, fields) {
  const b = (bucket[currency] ??= { count: 0 });
  b.count++;
  for (const k in fields) {
    b[k] = (b[k] ?? 0) + fields[k];
    if (!Number.isSafeInteger(b[k])) throw new Error('sum beyond 2^53');
  }
}
function countStatus(resource, status, currency, fields) {
  const s = ((statuses[resource] ??= {})[status] ??= {});
  addMoney(s, currency, fields ?? {});
}
function warn(code, table, id) {
  const w = (warnings[code] ??= { table, count: 0, ids: [] });
  w.count++;
  if (w.ids.length < MAX_IDS) w.ids.push(id);
}
function noteCase(name, table, ids, expect) {
  const c = (cases[name] ??= { table, count: 0, ids: [], expect });
  for (const id of Array.isArray(ids) ? ids : [ids]) {
    c.count++;
    if (c.ids.length < MAX_IDS) c.ids.push(id);
  }
}
/** Exact value of one cell, as a MySQL server would hold it: tests the parser. */
function sample(table, id, column, value) {
  const bytes = Buffer.from(value, 'utf8');
  const s = { table, id, column, bytes: bytes.length, sha256: crypto.createHash('sha256').update(bytes).digest('hex') };
  if (bytes.length <= 400) s.value = value;
  samples.push(s);
}
function sampleBlob(table, id, column, buf) {
  samples.push({ table, id, column, bytes: buf.length, sha256: crypto.createHash('sha256').update(buf).digest('hex'), binary: true });
}

// ---------------------------------------------------------------------------
// Catalogue: currencies, products, prices, taxes, coupons, settings
// ---------------------------------------------------------------------------

const CURRENCIES = [{ id: 1, code: 'EUR', prefix: '€', suffix: ' EUR', rate: '1.00000', num: 100, den: 100 }];
if (MESS) {
  CURRENCIES.push({ id: 2, code: 'USD', prefix: '$', suffix: ' USD', rate: '1.08350', num: 108, den: 100 });
  CURRENCIES.push({ id: 3, code: 'GBP', prefix: '£', suffix: '', rate: '0.85412', num: 85, den: 100 });
}
const currencyById = new Map(CURRENCIES.map((c) => [c.id, c]));
const codeOf = (id) => currencyById.get(id)?.code ?? 'UNKNOWN';

const CYCLES = [
  // price column, setup column, tblhosting.billingcycle, months, discount in percent
  { col: 'monthly', setup: 'msetupfee', label: 'Monthly', months: 1, off: 0 },
  { col: 'quarterly', setup: 'qsetupfee', label: 'Quarterly', months: 3, off: 3 },
  { col: 'semiannually', setup: 'ssetupfee', label: 'Semi-Annually', months: 6, off: 5 },
  { col: 'annually', setup: 'asetupfee', label: 'Annually', months: 12, off: 10 },
  { col: 'biennially', setup: 'bsetupfee', label: 'Biennially', months: 24, off: 15 },
  { col: 'triennially', setup: 'tsetupfee', label: 'Triennially', months: 36, off: 20 },
];
const ALL = CYCLES.map((c) => c.col);
const SHORT = ALL.slice(0, 4);
const LONG = ALL.slice(3);

const GROUPS = [[1, 'Minecraft Servers'], [2, 'Game Servers'], [3, 'Voice Servers'], [4, 'VPS & Cloud'], [5, 'Web Hosting']];
if (MESS) GROUPS.push([6, 'Legacy (do not sell)']);

const PRODUCTS = [
  { id: 1, gid: 1, name: 'Dirt - 2 GB', eur: 499, setup: 0, cycles: ALL, module: 'pterodactyl', w: 14 },
  { id: 2, gid: 1, name: 'Iron - 4 GB', eur: 899, setup: 0, cycles: ALL, module: 'pterodactyl', w: 18 },
  { id: 3, gid: 1, name: 'Diamond - 8 GB', eur: 1599, setup: 0, cycles: SHORT, module: 'pterodactyl', w: 12 },
  { id: 4, gid: 1, name: 'Netherite - 16 GB', eur: 2999, setup: 500, cycles: SHORT, module: 'pterodactyl', w: 5 },
  { id: 5, gid: 2, name: 'Rust 150 slots', eur: 1299, setup: 0, cycles: SHORT, module: 'pterodactyl', w: 7 },
  { id: 6, gid: 2, name: 'ARK: Survival', eur: 1899, setup: 115, cycles: SHORT, module: 'pterodactyl', w: 5 },
  { id: 7, gid: 2, name: 'Valheim', eur: 999, setup: 0, cycles: ['monthly', 'quarterly'], module: 'pterodactyl', w: 5 },
  { id: 8, gid: 3, name: 'TeamSpeak 32 slots', eur: 350, setup: 0, cycles: ALL, module: 'teamspeak', w: 7 },
  { id: 9, gid: 4, name: 'VPS S', eur: 435, setup: 0, cycles: ALL, module: 'virtualizor', type: 'server', w: 6 },
  { id: 10, gid: 4, name: 'VPS M', eur: 1150, setup: 0, cycles: ALL, module: 'virtualizor', type: 'server', w: 5 },
  { id: 11, gid: 4, name: 'VPS L', eur: 2299, setup: 1000, cycles: SHORT, module: 'virtualizor', type: 'server', w: 3 },
  { id: 12, gid: 5, name: 'Web Starter', eur: 290, setup: 0, cycles: LONG, module: 'cpanel', type: 'hostingaccount', w: 6 },
  { id: 13, gid: 1, name: 'Free trial - 1 GB', eur: 0, setup: 0, paytype: 'free', module: 'pterodactyl', w: 4 },
  { id: 14, gid: 2, name: 'World migration (one-off)', eur: 2500, setup: 0, paytype: 'onetime', module: '', type: 'other', w: 3 },
  { id: 15, gid: 4, name: 'Extra IPv4 setup', eur: 829, setup: 171, paytype: 'onetime', module: '', type: 'other', w: 2 },
];
if (MESS) {
  PRODUCTS.push(
    { id: 16, gid: 6, name: 'Bukkit 512 MB [retired]', eur: 229, setup: 0, cycles: ALL, module: 'multicraft', retired: 1, hidden: 1, w: 3 },
    { id: 17, gid: 1, name: 'Staff server (0.00 per month, a real recurring plan)', eur: 0, setup: 0, cycles: ['monthly'], module: 'pterodactyl', hidden: 1, w: 1 },
    { id: 18, gid: 99, name: 'Product of a deleted group', eur: 777, setup: 57, cycles: SHORT, module: 'pterodactyl', w: 1 },
    { id: 19, gid: 2, name: 'Every cycle disabled', eur: 1000, setup: 0, cycles: [], module: 'pterodactyl', hidden: 1, w: 0 },
    { id: 20, gid: 2, name: 'Crafter&#039;s &quot;Corner&quot; &amp; Co \u{1F3AE}', eur: 1115, setup: 29, cycles: SHORT, module: 'pterodactyl', w: 2 },
  );
}
const productById = new Map(PRODUCTS.map((p) => [p.id, p]));
const inCurrency = (cents, cur) => Math.floor((cents * cur.num * 2 + cur.den) / (cur.den * 2));

/** price table: key product/currency -> { monthly: {price, setup}, ... } */
const PRICES = new Map();
const plans = { distinct: 0, priceRows: 0, byCycle: {} };
const stamp = (day) => `${fmtDay(day)} 10:00:00`;
const T0 = dayOf(2015, 3, 2);

function buildCatalogue() {
  const r = new Rng(`${opt.seed}/catalogue`);
  for (const c of CURRENCIES) {
    emit('tblcurrencies', { id: c.id, code: c.code, prefix: c.prefix, suffix: c.suffix, format: c.id, rate: c.rate, default: c.id === 1 ? 1 : 0 });
  }
  GROUPS.forEach(([id, name], i) => {
    emit('tblproductgroups', {
      id, name, slug: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'), headline: `${name} for everyone`, tagline: null,
      orderfrmtpl: '', disabledgateways: '', hidden: id === 6 ? 1 : 0, order: i + 1, created_at: stamp(T0), updated_at: ZERO_DT,
    });
    record('categories', 'tblproductgroups', id, 'imported');
  });
  for (const p of PRODUCTS) {
    const row = {
      id: p.id, type: p.type ?? 'other', gid: p.gid, name: p.name,
      slug: p.name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
      description: `${p.name}\r\n<ul>\r\n<li>DDoS protection</li>\r\n<li>Daily backups</li>\r\n</ul>`,
      hidden: p.hidden ?? 0, stockcontrol: p.id === 4 ? 1 : 0, qty: p.id === 4 ? 12 : 0,
      paytype: p.paytype ?? 'recurring', allowqty: 0, autosetup: 'payment', servertype: p.module,
      servergroup: p.module === 'pterodactyl' ? 1 : 0, configoption1: String(100 * (1 + (p.id % 4))), configoption2: '10240',
      configoption3: String(1024 * p.id), tax: 1, order: p.id, retired: p.retired ?? 0,
      overagesdiskprice: '0.00000', overagesbwprice: '0.00000', created_at: stamp(T0), updated_at: stamp(T0 + p.id),
    };
    emit('tblproducts', row);
    record('products', 'tblproducts', p.id, 'imported');
    if (p.gid === 99) { warn('missing_category', 'tblproducts', p.id); noteCase('product_without_group', 'tblproducts', p.id, 'imported with no category, warning missing_category'); }
    const seen = new Set();
    for (const cur of CURRENCIES) {
      const price = { id: nextId('tblpricing'), type: 'product', currency: cur.id, relid: p.id };
      const entry = {};
      const paytype = p.paytype ?? 'recurring';
      for (const cy of CYCLES) {
        if (paytype === 'onetime') {
          // Only the monthly column counts. WHMCS often leaves 0.00 (not -1.00) in the others.
          price[cy.col] = cy.col === 'monthly' ? inCurrency(p.eur, cur) : (p.id % 2 ? -100 : 0);
          price[cy.setup] = cy.col === 'monthly' ? inCurrency(p.setup, cur) : 0;
        } else if (paytype === 'free') {
          price[cy.col] = 0;
        } else if (p.cycles.includes(cy.col)) {
          const full = inCurrency(p.eur, cur) * cy.months;
          price[cy.col] = full - percentOf(full, cy.off * 1000);
          price[cy.setup] = inCurrency(p.setup, cur);
        } else {
          price[cy.col] = -100; // -1.00 means "this cycle is not offered"
        }
        if (paytype === 'recurring' && price[cy.col] >= 0) {
          entry[cy.col] = { price: price[cy.col], setup: price[cy.setup] ?? 0 };
          plans.priceRows++;
          seen.add(cy.label);
        }
      }
      if (paytype === 'onetime') { entry.onetime = { price: price.monthly, setup: price.msetupfee }; plans.priceRows++; seen.add('One Time'); }
      if (paytype === 'free') { entry.free = { price: 0, setup: 0 }; plans.priceRows++; seen.add('Free Account'); }
      PRICES.set(`${p.id}/${cur.id}`, entry);
      emit('tblpricing', price);
      record('plans', 'tblpricing', price.id, 'imported');
    }
    for (const label of seen) { plans.distinct++; plans.byCycle[label] = (plans.byCycle[label] ?? 0) + 1; }
  }
  // Prices of things that are not products: never plans.
  for (const cur of CURRENCIES) {
    for (const [type, relid, cents] of [['addon', 1, 200], ['addon', 2, 500], ['configoptions', 1, 0], ['configoptions', 2, 150],
      ['configoptions', 3, 300], ['configoptions', 4, 10], ['configoptions', 5, 100], ['domainregister', 1, 1099], ['domaintransfer', 1, 1099], ['domainrenew', 1, 1199]]) {
      const price = { id: nextId('tblpricing'), type, currency: cur.id, relid };
      CYCLES.forEach((cy) => { price[cy.col] = inCurrency(cents * cy.months, cur); });
      emit('tblpricing', price);
      if (type === 'configoptions') record('plans', 'tblpricing', price.id, 'imported');
      else record('plans', 'tblpricing', price.id, 'skipped', 'unsupported_pricing_type');
    }
  }
  if (MESS) {
    const orphan = { id: nextId('tblpricing'), type: 'product', currency: 1, relid: 4040, monthly: 500, quarterly: -100, semiannually: -100, annually: -100, biennially: -100, triennially: -100 };
    emit('tblpricing', orphan);
    record('plans', 'tblpricing', orphan.id, 'skipped', 'orphan_product');
    const foreign = { ...orphan, id: nextId('tblpricing'), relid: 1, currency: 9 };
    emit('tblpricing', foreign);
    record('plans', 'tblpricing', foreign.id, 'skipped', 'unknown_currency');
    noteCase('pricing_orphans', 'tblpricing', [orphan.id, foreign.id], 'skipped: orphan_product, unknown_currency');
  }
  // Configurable options; addons have no target resource.
  emit('tblproductconfiggroups', { id: 1, name: 'Game server options', description: '' });
  record('optionGroups', 'tblproductconfiggroups', 1, 'imported');
  for (const pid of [1, 2, 3, 4, 5, 6, 7]) {
    const link = nextId('cfglink');
    emit('tblproductconfiglinks', { id: link, gid: 1, pid });
    record('optionLinks', 'tblproductconfiglinks', link, 'imported');
  }
  [[1, 'ram|Extra RAM', '1'], [2, 'slots|Player slots', '4'], [3, 'backup|Daily backups', '3']].forEach(([id, optionname, optiontype]) => {
    emit('tblproductconfigoptions', { id, gid: 1, optionname, optiontype, qtyminimum: 0, qtymaximum: optiontype === '4' ? 200 : 0, order: id, hidden: 0 });
    record('options', 'tblproductconfigoptions', id, 'imported');
  });
  [[1, 1, '0|none'], [2, 1, '1024|+1 GB'], [3, 1, '2048|+2 GB'], [4, 2, 'slot|per slot'], [5, 3, 'yes|Yes']].forEach(([id, configid, optionname]) => {
    emit('tblproductconfigoptionssub', { id, configid, optionname, sortorder: id, hidden: 0 });
    record('optionValues', 'tblproductconfigoptionssub', id, 'imported');
  });
  emit('tbladdons', { id: 1, packages: '1,2,3,4', name: 'Priority support', billingcycle: 'recurring', tax: 1, showorder: 1, type: 'other', created_at: stamp(T0) });
  emit('tbladdons', { id: 2, packages: '9,10,11', name: 'Offsite backup', billingcycle: 'recurring', tax: 1, showorder: 1, type: 'other', created_at: stamp(T0) });
  emit('tblclientgroups', { id: 1, groupname: 'Partners', groupcolour: '#ffcc00', discountpercent: '5.00', susptermexempt: '', separateinvoices: '' });
  ['Pending', 'Active', 'Cancelled', 'Fraud'].forEach((title, i) => emit('tblorderstatuses', { id: i + 1, title, color: '#cc0000', showpending: i === 0 ? 1 : 0, showactive: i === 1 ? 1 : 0, showcancelled: i === 2 ? 1 : 0, sortorder: 10 * (i + 1) }));
  if (MESS) emit('tblorderstatuses', { id: 5, title: 'On Hold', color: '#999999', showpending: 1, showactive: 0, showcancelled: 0, sortorder: 50 });
  // Tax rules. 9.975 % needs three decimals.
  const taxes = [[1, 'MwSt.', '', 'DE', 19000], [1, 'TVA', '', 'FR', 20000], [1, 'BTW', '', 'NL', 21000], [1, 'IVA', '', 'ES', 21000],
    [1, 'VAT', '', 'GB', 20000], [1, 'VAT', '', 'PL', 23000], [1, 'Moms', '', 'SE', 25000], [1, 'GST', '', 'CA', 5000], [2, 'QST', 'Quebec', 'CA', 9975]];
  if (MESS) taxes.push([1, 'Everywhere', '', '', 0]);
  taxes.forEach(([level, name, state, country, milli], i) => {
    emit('tbltax', { id: i + 1, level, name, state, country, taxrate: fmtRate3(milli) });
    record('taxRates', 'tbltax', i + 1, 'imported');
  });
  if (MESS) decoded.push({ table: 'tblproducts', id: 20, column: 'name', stored: productById.get(20).name, shown: 'Crafter\'s "Corner" & Co \u{1F3AE}' });
  buildPromotions();
  buildSettings(r);
}

function buildPromotions() {
  const promos = [
    ['WELCOME10', 'Percentage', 1000, { recurring: 0, appliesto: '1,2,3,4', maxuses: 0, uses: 131 }],
    ['FIVE', 'Fixed Amount', 500, { recurring: 0, appliesto: '9,10,11', maxuses: 100, uses: 17, onceperclient: 1 }],
    ['FOREVER15', 'Percentage', 1500, { recurring: 1, recurfor: 0, appliesto: '1,2,3,4,5,6,7', cycles: 'Monthly,Quarterly' }],
    ['HALFYEAR', 'Percentage', 3333, { recurring: 1, recurfor: 6, cycles: 'Monthly', expirationdate: '2023-12-31' }],
    ['BLACKFRIDAY', 'Percentage', 5000, { startdate: '2024-11-28', expirationdate: '2024-12-02', newsignups: 1 }],
    ['SETUPFREE', 'Free Setup', 0, { appliesto: '4,6,11' }],
    ['FLAT399', 'Price Override', 399, { recurring: 1, appliesto: '2' }],
    ['LIFETIME', 'Percentage', 1250, { lifetimepromo: 1, existingclient: 1 }],
  ];
  if (MESS) {
    promos.push(['welcome10', 'Fixed Amount', 100, { notes: 'same code, other case' }]);
    promos.push(['  SPACES ', 'Percentage', 500, { notes: 'code with spaces around it' }]);
    promos.push(['\u00c9T\u00c9-2024 \u2600\ufe0f', 'Percentage', 750, { expirationdate: ZERO_DATE }]);
  }
  const seen = new Set();
  promos.forEach(([code, type, value, more], i) => {
    const id = i + 1;
    emit('tblpromotions', { id, code, type, value, recurring: 0, cycles: '', appliesto: '', requires: '', startdate: ZERO_DATE, expirationdate: ZERO_DATE, upgradeconfig: 'a:4:{s:5:"value";s:4:"0.00";s:4:"type";s:0:"";s:12:"discounttype";s:10:"Percentage";s:13:"configoptions";s:0:"";}', ...more });
    const key = code.trim().toLowerCase();
    if (type === 'Free Setup' || type === 'Price Override') record('coupons', 'tblpromotions', id, 'skipped', 'unsupported_coupon_type');
    else if (seen.has(key)) { record('coupons', 'tblpromotions', id, 'skipped', 'duplicate_code'); noteCase('duplicate_coupon_code', 'tblpromotions', id, 'skipped: duplicate_code (codes are unique without regard to case)'); }
    else { seen.add(key); record('coupons', 'tblpromotions', id, 'imported'); }
  });
}

function buildSettings(r) {
  const settings = [
    ['Version', V8 ? '8.3.2-release.1' : '7.10.3-release.1'], ['CompanyName', 'Example Hosting & Söhne'], ['Email', 'billing@example.com'],
    ['Charset', 'utf-8'], ['DefaultCountry', 'DE'], ['TaxEnabled', 'on'], ['TaxType', opt.tax === 'inclusive' ? 'Inclusive' : 'Exclusive'],
    ['TaxL2Compound', ''], ['TaxDomains', 'on'], ['AffiliateEnabled', 'on'], ['AffiliateEarningPercent', '10'], ['AffiliatePayout', '25.00'],
    ['SequentialInvoiceNumbering', 'on'], ['SequentialInvoiceNumberFormat', 'INV-{YEAR}-{NUMBER}'], ['InvoiceIncrement', '1'],
    ['SMTPPassword', r.base64(36)], ['License', r.base64(90)], ['DateFormat', 'DD/MM/YYYY'], ['CreateInvoiceDaysBefore', '7'],
  ];
  settings.forEach(([setting, value], i) => emit('tblconfiguration', { id: i + 1, setting, value, created_at: stamp(T0), updated_at: stamp(T0) }));
  emit('tbladmins', { id: 1, uuid: r.hex(32), roleid: 1, username: 'root', password: BCRYPT[0].hash, firstname: 'Ada', lastname: 'Admin', email: 'admin@example.com', template: 'blend', language: 'english', supportdepts: ',1,2,', created_at: stamp(T0), updated_at: stamp(T0) });
  emit('tbladmins', { id: 2, uuid: r.hex(32), roleid: 3, username: 'helper', password: `${r.hex(32)}`, firstname: 'Sam', lastname: 'Support', email: 'sam@example.com', template: 'blend', language: 'english', disabled: 1, supportdepts: ',1,', created_at: stamp(T0), updated_at: stamp(T0) });
  for (let i = 1; i <= 5; i++) {
    emit('tblservers', { id: i, name: `node-${i}`, ipaddress: `192.0.2.${10 + i}`, hostname: `node-${i}.example.net`, monthlycost: 4900 + i * 1000, maxaccounts: 200, type: i < 4 ? 'pterodactyl' : 'virtualizor', username: 'api', password: r.base64(32), accesshash: r.base64(48), secure: 'on', port: i === 5 ? null : 443, active: 1 });
  }
  let g = 0;
  for (const [gateway, list] of [['paypal', [['name', 'PayPal'], ['type', 'Invoices'], ['visible', 'on'], ['email', 'pay@example.com']]], ['stripe', [['name', 'Credit card'], ['type', 'CC'], ['visible', 'on'], ['secretKey', r.hex(96)]]], ['banktransfer', [['name', 'Bank transfer'], ['visible', 'on'], ['instructions', 'Bank: Example Bank\r\nIBAN: DE00 0000 0000 0000 0000 00']]]]) {
    for (const [setting, value] of list) emit('tblpaymentgateways', { id: ++g, gateway, setting, value, order: 1 });
  }
  [['client', 0, 'Discord ID', 'text'], ['client', 0, 'How did you hear about us?', 'dropdown'], ['product', 2, 'Server name', 'text']].forEach(([type, relid, fieldname, fieldtype], i) => {
    emit('tblcustomfields', { id: i + 1, type, relid, fieldname, fieldtype, description: '', fieldoptions: i === 1 ? 'Friend,Search engine,Discord,Other' : '', regexpr: '', adminonly: '', required: '', showorder: 'on', showinvoice: '', sortorder: i, created_at: stamp(T0), updated_at: stamp(T0) });
  });
}

// ---------------------------------------------------------------------------
// People
// ---------------------------------------------------------------------------

const FIRST = ['Anna', 'Ben', 'Chloé', 'David', 'Elif', 'Finn', 'Grace', 'Hannah', 'Ivan', 'Jürgen', 'Katarzyna', 'Léa', 'Mateusz', 'Noah', 'Olivia', 'Paul', 'Quentin', 'Rosa', 'Søren', 'Tomás', 'Ulrike', 'Vera', 'William', 'Xenia', 'Yannick', 'Zoë', 'Łukasz', 'Ðorđe', 'Aoife', 'Björn'];
const LAST = ['Andersson', 'Bauer', 'Castillo', 'Dubois', 'Evans', 'Fischer', 'García', 'Hansen', 'Ivanova', 'Jansen', 'Kowalski', 'Lefèvre', 'Müller', 'Nguyen', 'Olsen', 'Peeters', 'Quinn', 'Rossi', 'Smith', 'Thompson', 'Ünal', 'Vogel', 'Weber', 'Xu', 'Young', 'Żak', 'Núñez', 'Brontë', 'Whitfield', 'van der Berg'];
const CITY = { DE: ['Berlin', 'Köln', 'München'], FR: ['Lyon', 'Paris', 'Saint-Étienne'], NL: ['Utrecht', 'Den Haag'], GB: ['Leeds', 'Bristol'], US: ['Austin', 'Portland'], ES: ['Málaga', 'Madrid'], CA: ['Montréal', 'Québec'], PL: ['Łódź', 'Kraków'], SE: ['Malmö', 'Göteborg'] };
const TAX = { DE: [19000, 0], FR: [20000, 0], NL: [21000, 0], GB: [20000, 0], ES: [21000, 0], CA: [5000, 9975], PL: [23000, 0], SE: [25000, 0], US: [0, 0] };
const fold = (s) => s.normalize('NFD').replace(/[^\x20-\x7e]/g, '').replace(/[^A-Za-z]+/g, '').toLowerCase();

/** Real bcrypt hashes of known passwords (cost 10), so that a login after the import can be tested. */
const BCRYPT = [
  { password: 'Sunflower-Lamp-17', hash: '$2y$10$Qm7RkX2vLp9TnB4cWz8sHelm4nKt98gYA5U2FzRmWRwU1uaDblFq2' },
  { password: 'creeper.Aw_man!9', hash: '$2y$10$e3YhUo1KdGa6JfMx5NwPiOlUZXWA0fOehyq8D9RTIOMFNtt7bVXpC' },
  { password: 'P@ssw0rd \u00e9t\u00e9 2021', hash: '$2y$10$vC0tSzEr4bQl8AyIuDj2FeHT8jvQQ1RLWOl8w9wk47.jBhDhSn166' },
  { password: 'zombie piglin 42', hash: '$2y$10$k9WmHn7XpVg3LsRcTo1ZBu1XMVBKCrIqpXaplLWhSYqS8Wr.TDrYG' },
  { password: '\u00dcn\u00efcode-\u{1F511}-pass', hash: '$2y$10$y5JqKe2NfUd8OaPiGx6MCeFGBwpjg6fpiFw9J/UVSOWMRYgTTjv2S' },
  { password: 'a'.repeat(72), hash: '$2y$10$b4DrYt0SwLh7EvIzQk3NFOyJ/n5sTwQ9o5jXRpuC8XFDrIv6XFEnC' },
];
const BASE64 = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const md5 = (s) => crypto.createHash('md5').update(s, 'utf8').digest('hex');

/** kind: bcrypt (unknown password), bcryptKnown, md5salt, hmac, md5, empty */
function makePassword(r, kind, n) {
  switch (kind) {
    case 'bcryptKnown': { const k = BCRYPT[n % BCRYPT.length]; return { kind: 'bcrypt', value: k.hash, password: k.password }; }
    case 'md5salt': { const salt = r.hex(5); const password = `legacy-${n}`; return { kind, value: `${md5(salt + password)}:${salt}`, password }; }
    case 'md5': { const password = `ancient-${n}`; return { kind, value: md5(password), password }; }
    case 'hmac': { const salt = r.hex(64); const password = `hmac-${n}`; return { kind: 'hmac-sha256', value: `${crypto.createHmac('sha256', salt).update(password, 'utf8').digest('hex')}:${salt}`, password }; }
    case 'encrypted': return { kind: 'encrypted', value: r.base64(36), password: null };
    case 'empty': return { kind: 'empty', value: '', password: null };
    default: return { kind: 'bcrypt', value: `$2y$10$${r.from(BASE64, 53)}`, password: null };
  }
}

const EMAIL_OK = /^[^\s@<>"']+@[^\s@]+\.[^\s@]+$/;
const seenLogins = new Map(); // login key -> surviving client id
const usersById = new Map(); // only users that another client may share (mess)
const affiliates = [];
let firstClient = null; // crafted orphan rows refer to it

let clientSerial = 0;
function newClientId(gap = 0) { clientSerial += 1 + gap; return clientSerial; }

/**
 * Makes one client. `o` overrides columns; special keys:
 *   ownerEmail, noOwner, shareUserId (schema 8), passwordKind
 */
function makeClient(r, o = {}) {
  const id = newClientId(r.chance(0.04) ? r.int(1, 3) : 0); // gaps: deleted clients
  const country = o.country ?? r.weighted([['DE', 25], ['FR', 20], ['NL', 10], ['GB', 12], ['US', 15], ['ES', 6], ['CA', 5], ['PL', 4], ['SE', 3]]);
  const first = r.pick(FIRST);
  const last = r.pick(LAST);
  const reg = o.reg ?? END - Math.floor((r.int(10, 1860) * r.int(40, 100)) / 100);
  const currency = o.currency ?? (MESS ? r.weighted([[1, 70], [2, 18], [3, 12]]) : 1);
  const c = {
    id, first: o.firstname ?? first, last: o.lastname ?? last,
    company: o.companyname ?? (r.chance(0.18) ? `${last} ${r.pick(['GmbH', 'SARL', 'Ltd', 'B.V.', 'Gaming'])}` : ''),
    email: o.email ?? `${fold(first)}.${fold(last)}.${id}@${r.pick(['example.com', 'example.org', 'example.net', 'mail.example.com'])}`,
    address1: o.address1 ?? `${r.int(1, 240)} ${r.pick(['Hauptstraße', 'Rue de la Paix', 'High Street', 'Kerkstraat', 'Calle Mayor', 'Main St'])}`,
    address2: o.address2 ?? (r.chance(0.1) ? `Apt ${r.int(1, 60)}` : ''),
    city: o.city ?? r.pick(CITY[country]), state: country === 'CA' ? 'Quebec' : country === 'US' ? r.pick(['TX', 'OR', 'CA']) : '',
    postcode: String(r.int(10000, 99999)), country, phone: `+${r.int(1, 49)}.${r.int(100000000, 999999999)}`,
    taxId: r.chance(0.08) ? `${country}${r.int(100000000, 999999999)}` : '',
    currency, reg, credit: 0, ledger: 0, group: r.chance(0.03) ? 1 : 0, exempt: r.chance(0.05) ? 1 : 0,
    status: o.status ?? r.weighted([['Active', 82], ['Inactive', 13], ['Closed', 5]]),
    notes: o.notes ?? '', gateway: r.weighted([['stripe', 55], ['paypal', 35], ['banktransfer', 10]]), o, r,
    openingCredit: 0,
  };
  if (o.exempt !== undefined) c.exempt = o.exempt;
  if (MESS && !o.plain) sprinkle(c, r);

  const kind = o.passwordKind ?? (id <= 6 ? 'bcryptKnown' : MESS ? r.weighted([['bcrypt', 74], ['md5salt', 22], ['hmac', 2], ['empty', 2]]) : 'bcrypt');
  c.password = makePassword(r, kind, id);

  // Schema 8: the login lives in tblusers, joined through tblusers_clients.owner = 1.
  let loginEmail = c.email;
  if (V8 && !o.noOwner) {
    let user;
    if (o.shareUserId) user = usersById.get(o.shareUserId);
    else {
      user = { id: nextId('tblusers'), email: o.ownerEmail ?? c.email };
      emitUser(user, c, r, c.password.value);
      if (o.keepUser) usersById.set(user.id, user);
    }
    c.userId = user.id;
    loginEmail = user.email;
    emit('tblusers_clients', { id: nextId('tblusers_clients'), auth_user_id: user.id, client_id: id, owner: 1, permissions: null, last_login: null, created_at: `${fmtDay(reg)} 09:00:00`, updated_at: `${fmtDay(reg)} 09:00:00` });
  }
  const key = loginEmail.trim().toLowerCase();
  if (!EMAIL_OK.test(key) || key.length > 254) c.outcome = 'skipped';
  else if (seenLogins.has(key)) { c.outcome = 'merged'; c.survivor = seenLogins.get(key); }
  else { c.outcome = 'imported'; seenLogins.set(key, id); }
  c.loginEmail = loginEmail.trim();
  if (c.outcome === 'imported') {
    const hk = V8 && o.noOwner ? 'none' : c.password.kind;
    hashes[hk] = (hashes[hk] ?? 0) + 1;
    if (hk === 'empty' || hk === 'none' || hk === 'encrypted') warn('password_reset_required', 'tblclients', id);
    if (c.password.password !== null && hk !== 'none' && logins.length < 40) logins.push({ clientId: id, email: c.loginEmail, password: c.password.password, hash: hk });
  }
  return c;
}

function emitUser(user, c, r, password) {
  emit('tblusers', {
    id: user.id, first_name: c.first, last_name: c.last, email: user.email, password, language: 'english',
    second_factor: r.chance(0.02) ? 'totp' : '', second_factor_config: r.chance(0.02) ? r.base64(64) : null,
    security_question_answer: '', last_ip: `198.51.100.${r.int(1, 254)}`, last_hostname: '', last_login: r.chance(0.7) ? fmtDateTime(END - r.int(0, 300), r) : null,
    email_verified_at: r.chance(0.8) ? fmtDateTime(c.reg, r) : null, created_at: fmtDateTime(c.reg, r), updated_at: fmtDateTime(END - r.int(0, 90), r),
  });
}

/** Common nastiness, spread thinly over the ordinary population. */
function sprinkle(c, r) {
  if (r.chance(0.08)) c.address1 = `${c.address1}\nBuilding ${r.pick(['A', 'B', 'C'])}\r\n2nd floor`;
  if (r.chance(0.03)) { c.company = `${c.company} \u{1F3AE}\u{1F469}\u200D\u{1F4BB}`.trim(); }
  if (r.chance(0.03)) { c.last = Buffer.from(c.last, 'utf8').toString('latin1').replace(/[\x80-\x9f]/g, '?'); } // UTF-8 read as latin1, stored again
  if (r.chance(0.04)) { c.last = `O&#039;${c.last}`; c.company = c.company ? `${c.company} &amp; Sons` : ''; }
  if (r.chance(0.04)) c.first = `${c.first} "${c.last}"`;
  if (r.chance(0.03)) c.notes = `C:\\Users\\${fold(c.last)}\\ said: 'it''s \\'quoted\\'' ; -- not a comment; /* nor this */ # nor this\n100% \t tab`;
}

function finishClient(c) {
  const r = c.r;
  const o = c.o;
  c.credit = c.ledger + c.openingCredit;
  const zero = o.zeroDates || (MESS && r.chance(0.05));
  emit('tblclients', {
    id: c.id, uuid: `${r.hex(8)}-${r.hex(4)}-4${r.hex(3)}-a${r.hex(3)}-${r.hex(12)}`, firstname: c.first, lastname: c.last, companyname: c.company,
    email: c.email, address1: c.address1, address2: c.address2, city: c.city, state: c.state, postcode: c.postcode, country: c.country,
    phonenumber: c.phone, tax_id: c.taxId, password: V8 ? '' : c.password.value, currency: c.currency, defaultgateway: r.chance(0.5) ? c.gateway : '', credit: c.credit,
    taxexempt: c.exempt, datecreated: zero ? ZERO_DATE : fmtDay(c.reg), notes: c.notes, groupid: c.group,
    cardtype: '', cardlastfour: o.cardnum ? '4242' : '', cardnum: o.cardnum ?? '', expdate: o.expdate ?? '',
    lastlogin: r.chance(0.3) ? null : fmtDateTime(END - r.int(0, 300), r), ip: `198.51.100.${r.int(1, 254)}`, host: '', status: c.status,
    language: r.chance(0.3) ? 'german' : '', allow_sso: 1, email_verified: r.chance(0.8) ? 1 : 0,
    email_preferences: r.chance(0.4) ? '{"general":"1","invoice":"1","support":"1","product":"1","domain":"1","affiliate":"1"}' : null,
    created_at: zero ? ZERO_DT : fmtDateTime(c.reg, r), updated_at: zero ? ZERO_DT : fmtDateTime(END - r.int(0, 200), r), pwresetexpiry: ZERO_DT,
  });
  if (zero) noteCase('zero_dates', 'tblclients', c.id, 'imported; zero dates become null, never 1970 and never an error');
  const cur = codeOf(c.currency);
  record('users', 'tblclients', c.id, c.outcome, c.outcome === 'skipped' ? 'invalid_email' : c.outcome === 'merged' ? 'duplicate_email' : null);
  record('creditBalances', 'tblclients', c.id, c.outcome === 'skipped' ? 'skipped' : 'imported', c.outcome === 'skipped' ? 'client_not_imported' : null, cur, { balance: c.credit });
  countStatus('users', c.status, cur);
  if (c.openingCredit !== 0) warn('credit_ledger_mismatch', 'tblclients', c.id);
  if (c.outcome === 'imported' && /@/.test(c.email) && V8 && !o.noOwner && c.email.trim().toLowerCase() !== c.loginEmail.toLowerCase()) warn('login_email_differs', 'tblclients', c.id);

  if (r.chance(0.4)) emit('tblcustomfieldsvalues', { id: nextId('tblcustomfieldsvalues'), fieldid: 1, relid: c.id, value: `${r.int(100000000, 999999999)}${r.int(100000000, 999999999)}`, created_at: fmtDateTime(c.reg, r), updated_at: ZERO_DT });
  if (r.chance(0.05)) emit('tblcontacts', { id: nextId('tblcontacts'), userid: c.id, firstname: r.pick(FIRST), lastname: c.last, companyname: c.company, email: `contact.${c.id}@example.org`, address1: c.address1, city: c.city, country: c.country, generalemails: 1, invoiceemails: 1, created_at: fmtDateTime(c.reg, r), updated_at: ZERO_DT, pwresetexpiry: ZERO_DT });
  if (r.chance(0.04)) emit('tbldomains', { id: nextId('tbldomains'), userid: c.id, orderid: 0, type: 'Register', registrationdate: fmtDay(c.reg), domain: `${fold(c.last)}${c.id}.example`, firstpaymentamount: 1099, recurringamount: 1199, registrar: 'enom', registrationperiod: 1, expirydate: fmtDay(END + 100), status: 'Active', nextduedate: fmtDay(END + 90), nextinvoicedate: fmtDay(END + 90), paymentmethod: c.gateway, reminders: '', created_at: fmtDateTime(c.reg, r), updated_at: ZERO_DT });
  if (r.chance(0.1)) {
    const id = nextId('tblpaymethods');
    emit('tblpaymethods', { id, userid: c.id, description: '', contact_id: c.id, contact_type: 'Client', payment_id: id, payment_type: 'RemoteCreditCard', gateway_name: 'stripe', order_preference: 1, created_at: fmtDateTime(c.reg, r), updated_at: ZERO_DT, deleted_at: null });
    emit('tblcreditcards', { id, pay_method_id: id, card_type: 'Visa', last_four: '4242', expiry_date: `${fmtDay(addMonths(END, r.int(1, 40)))} 00:00:00`, card_data: MESS ? Buffer.from(r.hex(128), 'hex') : '', created_at: fmtDateTime(c.reg, r), updated_at: ZERO_DT, deleted_at: null });
  }
  noise(c, r);
}

const WORDS = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua server invoice payment node backup restart world player slots ticket reply thanks please'.split(' ');
const prose = (r, n) => { let s = ''; for (let i = 0; i < n; i++) s += (i ? ' ' : '') + WORDS[r.u32() % WORDS.length]; return s; };

/** Rows nobody imports, and most of the bytes of a real dump. */
function noise(c, r) {
  const n = (k) => Math.floor(opt.noise * k) + (r.chance((opt.noise * k) % 1) ? 1 : 0);
  for (let i = n(3); i > 0; i--) emit('tblactivitylog', { id: nextId('tblactivitylog'), date: fmtDateTime(END - r.int(0, 700), r), description: r.pick([`Client Login - User ID: ${c.id}`, `Modified Invoice Options - Invoice ID: ${r.int(1, 99999)}`, `Module Create Successful - Service ID: ${r.int(1, 9999)}`, "Email Sent to Client (Invoice Payment Confirmation) - it's fine; really"]), user: r.pick(['System', 'Client', 'root']), userid: c.id, ipaddr: `203.0.113.${r.int(1, 254)}` });
  for (let i = n(1.5); i > 0; i--) emit('tblemails', { id: nextId('tblemails'), userid: c.id, subject: r.pick(['Invoice Payment Confirmation', 'Customer Invoice', 'Welcome!']), message: `<p>Dear ${c.first},</p>\r\n<p>${prose(r, r.int(40, 120))}</p>\r\n<p><a href="https://billing.example.com/viewinvoice.php?id=${r.int(1, 99999)}">View</a></p>`, date: fmtDateTime(END - r.int(0, 700), r), to: c.email, cc: null, bcc: null });
  for (let i = n(0.3); i > 0; i--) {
    const id = nextId('tbltickets');
    emit('tbltickets', { id, tid: String(r.int(100000, 999999)), did: 1, userid: c.id, name: '', email: '', c: r.from(BASE64.slice(2), 8), date: fmtDateTime(END - r.int(0, 500), r), title: prose(r, 5), message: prose(r, r.int(20, 80)), status: r.pick(['Open', 'Answered', 'Closed']), urgency: 'Medium', admin: '', lastreply: fmtDateTime(END - r.int(0, 100), r) });
    emit('tblticketreplies', { id: nextId('tblticketreplies'), tid: id, userid: 0, name: '', email: '', date: fmtDateTime(END - r.int(0, 100), r), message: prose(r, r.int(20, 60)), admin: 'Ada Admin' });
  }
}

// ---------------------------------------------------------------------------
// Money: invoices, items, payments, credits
// ---------------------------------------------------------------------------

let invoiceNumber = 0;

/** A line item. Types used by WHMCS: Hosting, Setup, PromoHosting, Addon, Upgrade, LateFee, GroupDiscount, AddFunds, Invoice, Item, '' ... */
const item = (type, relid, description, cents, taxed) => ({ type, relid, description, cents, taxed });

function totals(c, items) {
  const [r1, r2] = c.exempt ? [0, 0] : TAX[c.country];
  let all = 0;
  let taxable = 0;
  for (const it of items) { all += it.cents; if (it.taxed) taxable += it.cents; }
  let tax1 = 0;
  let tax2 = 0;
  let subtotal = all;
  if (opt.tax === 'exclusive') {
    tax1 = percentOf(taxable, r1);
    tax2 = percentOf(taxable, r2);
  } else if (r1 + r2 > 0) {
    const sign = taxable < 0 ? -1 : 1;
    const abs = Math.abs(taxable);
    tax1 = sign * Math.floor((abs * r1 * 2 + (100000 + r1 + r2)) / (2 * (100000 + r1 + r2)));
    tax2 = sign * Math.floor((abs * r2 * 2 + (100000 + r1 + r2)) / (2 * (100000 + r1 + r2)));
    subtotal = all - tax1 - tax2;
  }
  return { subtotal, tax: tax1, tax2, gross: subtotal + tax1 + tax2, r1, r2 };
}

/**
 * Writes one invoice with its items. Returns the invoice object.
 * spec: { day, status, items, credit, note, dueIn, zeroDate, num, mass, skew }
 */
function writeInvoice(c, spec) {
  const r = c.r;
  const t = totals(c, spec.items);
  const id = spec.id ?? nextId('tblinvoices');
  const credit = spec.credit ?? 0;
  const skew = spec.skew ?? 0; // a stored total that does not add up (edited by hand, or an old rounding bug)
  const total = t.gross - credit + skew;
  const status = spec.status;
  const settled = status === 'Paid' || status === 'Refunded';
  const paidDay = Math.min(END, spec.day + (spec.paidAfter ?? r.int(0, 9)));
  const inv = { id, c, status, total, credit, gross: t.gross, subtotal: t.subtotal, tax: t.tax, tax2: t.tax2, day: spec.day, paidDay, mass: !!spec.mass };
  const num = spec.num !== undefined ? spec.num : settled ? `INV-${fmtDay(paidDay).slice(0, 4)}-${String(++invoiceNumber).padStart(6, '0')}` : '';
  emit('tblinvoices', {
    id, userid: c.id, invoicenum: num, date: spec.zeroDate ? ZERO_DATE : fmtDay(spec.day), duedate: spec.nullDue ? null : spec.zeroDate ? ZERO_DATE : fmtDay(spec.day + (spec.dueIn ?? 7)),
    datepaid: settled && !spec.zeroDate ? fmtDateTime(paidDay, r) : ZERO_DT,
    last_capture_attempt: ZERO_DT, date_refunded: status === 'Refunded' ? fmtDateTime(Math.min(END, paidDay + 5), r) : ZERO_DT,
    date_cancelled: status === 'Cancelled' ? fmtDateTime(Math.min(END, spec.day + 20), r) : ZERO_DT,
    subtotal: t.subtotal, credit, tax: t.tax, tax2: t.tax2, total, taxrate: fmtRate3(t.r1), taxrate2: fmtRate3(t.r2), status, paymentmethod: c.gateway, paymethodid: null,
    notes: spec.notes ?? '', created_at: spec.zeroDate ? ZERO_DT : fmtDateTime(spec.day, r), updated_at: fmtDateTime(paidDay, r),
  });
  const cur = codeOf(c.currency);
  const clientOk = c.outcome !== 'skipped';
  const openMass = inv.mass && !['Paid', 'Refunded', 'Cancelled'].includes(status);
  inv.outcome = !clientOk ? 'skipped' : openMass ? 'skipped' : 'imported';
  const money = { subtotal: t.subtotal, tax: t.tax, tax2: t.tax2, credit, total, gross: t.gross };
  record('invoices', 'tblinvoices', id, inv.outcome, !clientOk ? 'client_not_imported' : openMass ? 'mass_payment_unpaid' : null, cur, money);
  countStatus('invoices', status, cur, { total, gross: t.gross });
  if (skew !== 0) warn('total_mismatch', 'tblinvoices', id);
  for (const it of spec.items) {
    const iid = nextId('tblinvoiceitems');
    emit('tblinvoiceitems', { id: iid, invoiceid: id, userid: c.id, type: it.type, relid: it.relid, description: it.description, amount: it.cents, taxed: it.taxed ? 1 : 0, duedate: spec.nullDue ? null : fmtDay(spec.day + (spec.dueIn ?? 7)), paymentmethod: c.gateway, notes: '' });
    record('invoiceItems', 'tblinvoiceitems', iid, inv.outcome, inv.outcome === 'skipped' ? 'invoice_not_imported' : null, cur, { amount: it.cents });
  }
  return inv;
}

function writeTransaction(c, { day, amountin = 0, amountout = 0, fees = 0, invoiceid = 0, refundid = 0, description = 'Invoice Payment', transid, zeroDate = false }) {
  const r = c.r;
  const id = nextId('tblaccounts');
  emit('tblaccounts', { id, userid: c.id, currency: 0, gateway: c.gateway, date: zeroDate ? ZERO_DT : fmtDateTime(Math.min(END, day), r), description, amountin, fees, amountout, rate: currencyById.get(c.currency).rate, transid: transid ?? (c.gateway === 'stripe' ? `ch_${r.from(BASE64.slice(2), 24)}` : c.gateway === 'paypal' ? r.from('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', 17) : ''), invoiceid, refundid });
  const ok = c.outcome !== 'skipped';
  record('transactions', 'tblaccounts', id, ok ? 'imported' : 'skipped', ok ? null : 'client_not_imported', codeOf(c.currency), { amountIn: amountin, amountOut: amountout, fees });
  return id;
}

function writeLedger(c, day, cents, description, relid = 0) {
  const id = nextId('tblcredit');
  emit('tblcredit', { id, clientid: c.id, admin_id: 0, date: fmtDay(Math.min(END, day)), description, amount: cents, relid });
  c.ledger += cents;
  const ok = c.outcome !== 'skipped';
  record('creditLedger', 'tblcredit', id, ok ? 'imported' : 'skipped', ok ? null : 'client_not_imported', codeOf(c.currency), { amount: cents });
  return id;
}

function feeOf(c, cents) {
  if (c.gateway === 'stripe') return percentOf(cents, 1400) + 25;
  if (c.gateway === 'paypal') return percentOf(cents, 2900) + 35;
  return 0;
}

/** Payment(s) of a settled invoice, possible overpayment and refund. */
function settle(c, inv, spec = {}) {
  const r = c.r;
  if (inv.total <= 0) return;
  let paid = inv.total;
  const over = spec.over ?? (r.chance(0.006) ? r.int(1, 400) : 0);
  const parts = spec.parts ?? (r.chance(0.02) && inv.total > 500 ? 2 : 1);
  let lastTx = 0;
  if (parts === 2) {
    const a = Math.floor(inv.total / 3);
    writeTransaction(c, { day: inv.paidDay, amountin: a, fees: feeOf(c, a), invoiceid: inv.id });
    paid -= a;
  }
  lastTx = writeTransaction(c, { day: inv.paidDay, amountin: paid + over, fees: feeOf(c, paid + over), invoiceid: inv.id });
  if (over) writeLedger(c, inv.paidDay, over, `Invoice #${inv.id} Overpayment`, inv.id);
  if (inv.status === 'Refunded') writeTransaction(c, { day: inv.paidDay + 5, amountout: inv.total, invoiceid: inv.id, refundid: lastTx, description: `Refund of Transaction ID ${lastTx}` });
  else if (spec.partialRefund ?? r.chance(0.008)) writeTransaction(c, { day: inv.paidDay + 6, amountout: Math.max(1, Math.floor(inv.total / 4)), invoiceid: inv.id, refundid: lastTx, description: `Refund of Transaction ID ${lastTx}` });
}

/**
 * Mass payment: one invoice whose lines are other invoices. When it is paid, every child
 * gets a credit of its own total, booked in and out of the ledger.
 */
function massPayment(c, children, day, paid) {
  const inv = writeInvoice(c, {
    day, status: paid ? 'Paid' : 'Unpaid', mass: true, paidAfter: 0,
    items: children.map((ch) => item('Invoice', ch.id, `Invoice #${ch.id}`, ch.gross, false)),
  });
  if (paid) settle(c, inv, { over: 0, parts: 1, partialRefund: false });
  return inv;
}

// ---------------------------------------------------------------------------
// One ordinary client's life
// ---------------------------------------------------------------------------

function writeService(c, s) {
  const r = c.r;
  const orderId = nextId('tblorders');
  const ok = c.outcome !== 'skipped';
  const cur = codeOf(c.currency);
  const orderStatus = s.status === 'Pending' ? 'Pending' : s.status === 'Fraud' ? 'Fraud' : s.status === 'Cancelled' && r.chance(0.3) ? 'Cancelled' : 'Active';
  emit('tblorders', { id: orderId, ordernum: r.int(1000000000, 4294967295), userid: c.id, requestor_id: c.userId ?? 0, date: s.zeroDates ? ZERO_DT : fmtDateTime(s.start, r), orderdata: '{}', amount: s.first, paymentmethod: c.gateway, invoiceid: 0, status: MESS && r.chance(0.01) ? 'On Hold' : orderStatus, ipaddress: `198.51.100.${r.int(1, 254)}`, promocode: s.promo ? 'FOREVER15' : '', promotype: s.promo ? 'Percentage' : '', promovalue: s.promo ? '15.00' : '' });
  record('orders', 'tblorders', orderId, ok ? 'imported' : 'skipped', ok ? null : 'client_not_imported', cur, { amount: s.first });
  emit('tblhosting', {
    id: s.id, userid: c.id, orderid: orderId, packageid: s.productId, server: productById.get(s.productId)?.module ? r.int(1, 5) : 0,
    regdate: s.zeroDates ? ZERO_DATE : fmtDay(s.start), domain: s.domain ?? `srv${s.id}.example.net`, paymentmethod: c.gateway, qty: s.qty ?? 1,
    firstpaymentamount: s.first, amount: s.amount, billingcycle: s.cycle, nextduedate: s.nullNext ? null : s.next ? fmtDay(s.next) : ZERO_DATE, nextinvoicedate: s.next ? fmtDay(s.next) : ZERO_DATE,
    termination_date: s.status === 'Terminated' || s.status === 'Cancelled' ? fmtDay(s.end) : ZERO_DATE, completed_date: s.status === 'Completed' ? fmtDay(s.start + 1) : ZERO_DATE,
    domainstatus: s.status, username: `u${s.id}`, password: r.base64(27), notes: s.notes ?? '', promoid: s.promo ? 3 : 0, promocount: 0,
    suspendreason: s.status === 'Suspended' ? 'Overdue on Payment' : '', dedicatedip: r.chance(0.3) ? `192.0.2.${r.int(1, 254)}:25565` : '',
    lastupdate: ZERO_DT, created_at: s.zeroDates ? ZERO_DT : fmtDateTime(s.start, r), updated_at: ZERO_DT,
  });
  const productOk = productById.has(s.productId);
  const result = !ok ? 'skipped' : productOk ? 'imported' : 'skipped';
  record('services', 'tblhosting', s.id, result, !ok ? 'client_not_imported' : productOk ? null : 'orphan_product', cur, { recurring: s.amount, first: s.first });
  countStatus('services', s.status, cur, { recurring: s.amount });
  const cy = ((statuses.serviceCycles ??= {})[s.cycle] ??= {});
  addMoney(cy, cur, { recurring: s.amount });
  s.outcome = result;
  if (s.status === 'Cancelled' && r.chance(0.6)) emit('tblcancelrequests', { id: nextId('tblcancelrequests'), date: fmtDateTime(s.end - 3, r), relid: s.id, reason: r.pick(['too expensive', "don't need it any more", 'moving; \\o/ bye']), type: r.pick(['Immediate', 'End of Billing Period']), created_at: fmtDateTime(s.end - 3, r), updated_at: ZERO_DT });
  if (s.productId <= 7 && r.chance(0.3)) {
    const chosen = nextId('tblhostingconfigoptions');
    emit('tblhostingconfigoptions', { id: chosen, relid: s.id, configid: 1, optionid: r.int(1, 3), qty: 0 });
    record('serviceOptions', 'tblhostingconfigoptions', chosen, result, result === 'imported' ? null : 'service_not_imported');
  }
  if (s.productId === 2 && r.chance(0.5)) emit('tblcustomfieldsvalues', { id: nextId('tblcustomfieldsvalues'), fieldid: 3, relid: s.id, value: `${c.first}'s server`, created_at: ZERO_DT, updated_at: ZERO_DT });
  if (s.addon) emit('tblhostingaddons', { id: nextId('tblhostingaddons'), orderid: orderId, hostingid: s.id, addonid: 1, userid: c.id, name: '', setupfee: 0, recurring: s.addon, billingcycle: s.cycle, tax: 'on', status: s.status, regdate: fmtDay(s.start), nextduedate: s.next ? fmtDay(s.next) : null, nextinvoicedate: s.next ? fmtDay(s.next) : ZERO_DATE, paymentmethod: c.gateway, created_at: fmtDateTime(s.start, r), updated_at: ZERO_DT });
}

const SERVICE_COUNT = [[0, 10], [1, 48], [2, 25], [3, 12], [4, 5]];
const PRODUCT_WEIGHTS = PRODUCTS.map((p) => [p, p.w]);

function planService(c, o = {}) {
  const r = c.r;
  const product = o.product ?? r.weighted(PRODUCT_WEIGHTS);
  const price = PRICES.get(`${product.id}/${c.currency}`);
  const paytype = product.paytype ?? 'recurring';
  const id = nextId('tblhosting');
  if (paytype !== 'recurring') {
    const start = r.int(c.reg, END - 1);
    const e = price.onetime ?? price.free;
    return { id, productId: product.id, product, cycle: paytype === 'free' ? 'Free Account' : 'One Time', months: 0, start, end: END, status: paytype === 'free' ? r.pick(['Active', 'Active', 'Terminated']) : r.pick(['Completed', 'Active']), price: e.price, setup: e.setup, amount: 0, first: e.price + e.setup, next: 0 };
  }
  const offered = CYCLES.filter((cy) => price[cy.col]);
  const cy = o.cycle ? CYCLES.find((x) => x.label === o.cycle) : r.weighted(offered.map((x) => [x, x.months === 1 ? 60 : x.months === 3 ? 12 : x.months === 12 ? 14 : 4]));
  const e = price[cy.col];
  const span = Math.min(END - c.reg, cy.months === 1 ? 540 : 2200);
  const start = END - r.int(1, Math.max(2, span));
  const status = o.status ?? r.weighted([['Active', 58], ['Suspended', 7], ['Terminated', 14], ['Cancelled', 14], ['Pending', 5], ['Fraud', 1], ['Completed', 1]]);
  const end = status === 'Terminated' || status === 'Cancelled' ? r.int(start + 1, END) : END;
  const promo = r.chance(0.06) && product.id <= 7;
  const off = promo ? percentOf(e.price, 15000) : 0;
  const custom = r.chance(0.06) && e.price > 300 ? r.int(1, 199) : 0; // price agreed by hand
  const amount = e.price - off - custom;
  return { id, productId: product.id, product, cycle: cy.label, months: cy.months, start, end, status, price: e.price - custom, setup: e.setup, promoOff: off, promo, amount, first: amount + e.setup, next: 0, addon: r.chance(0.04) ? 200 * cy.months : 0 };
}

const longName = (s) => `${s.product.name} - srv${s.id}.example.net`;

function planInvoices(c, s, out) {
  const r = c.r;
  if (s.months === 0) {
    if (s.first > 0) out.push({ day: s.start, items: [item('Hosting', s.id, longName(s), s.first, true)], s });
    return;
  }
  let due = s.start;
  for (let k = 0; k < 20 && due <= Math.min(s.end, END); k++) {
    const next = addMonths(s.start, s.months * (k + 1));
    const items = [item('Hosting', s.id, `${longName(s)} (${fmtDay(due)} - ${fmtDay(next - 1)})`, s.price, true)];
    if (k === 0 && s.setup) items.push(item('Setup', s.id, `${s.product.name} Setup Fee`, s.setup, true));
    if (s.promoOff) items.push(item('PromoHosting', s.id, 'Promotional Code: FOREVER15 - 15.00% Recurring Discount', -s.promoOff, true));
    if (s.addon) items.push(item('Addon', s.id, 'Priority support', s.addon, true));
    if (c.group) items.push(item('GroupDiscount', 0, '5.00% Client Group Discount', -percentOf(s.amount, 5000), true));
    if (r.chance(0.02)) items.push(item('LateFee', s.id, 'Late Fee (Added)', 250, false));
    out.push({ day: due, items, s, last: next > Math.min(s.end, END) });
    due = next;
  }
  s.next = due;
}

function chooseStatus(c, p) {
  const r = c.r;
  const age = END - p.day;
  const st = p.s.status;
  if (st === 'Fraud') return 'Cancelled';
  if (st === 'Pending') return r.weighted([['Unpaid', 7], ['Cancelled', 2], ['Payment Pending', 1]]);
  if (st === 'Suspended' && p.last) return r.chance(0.2) ? 'Collections' : 'Unpaid';
  if (age < 10) return r.weighted([['Unpaid', 60], ['Paid', 36], ['Payment Pending', 4]]);
  return r.weighted([['Paid', 930], ['Cancelled', 40], ['Refunded', 18], ['Collections', 5], ['Draft', 4], ['Unpaid', 12]]);
}

function simulateClient(i) {
  const r = new Rng(`${opt.seed}/client/${i}`);
  const c = makeClient(r);
  live(c, r.weighted(SERVICE_COUNT), i);
  finishClient(c);
}

function live(c, services, i) {
  const r = c.r;
  const planned = [];
  const list = [];
  for (let k = 0; k < services; k++) { const s = planService(c); planInvoices(c, s, planned); list.push(s); }
  if (r.chance(0.06)) planned.push({ day: r.int(c.reg, END), funds: r.pick([1000, 2000, 5000]) });
  if (r.chance(0.02)) planned.push({ day: r.int(c.reg, END), gift: r.int(50, 1500) });
  planned.sort((a, b) => a.day - b.day);
  for (const s of list) writeService(c, s);

  // Is this client referred by an affiliate with the same currency?
  let referral = null;
  if (list.length && affiliates.length && r.chance(0.06)) {
    const a = affiliates[r.u32() % affiliates.length];
    if (a.currency === c.currency) referral = startReferral(a, list[0], r);
  }

  // Invoices that will be gathered into a mass payment, if this client makes one.
  const wantsMass = planned.length >= 3 && r.chance(MESS ? 0.08 : 0.02);
  const massPaid = !MESS || r.chance(0.6);
  const gathered = [];
  const firstMass = wantsMass ? Math.max(0, planned.length - r.int(2, 4)) : Infinity;

  planned.forEach((p, n) => {
    if (p.gift) { writeLedger(c, p.day, p.gift, 'Goodwill credit'); return; }
    if (p.funds) {
      const inv = writeInvoice(c, { day: p.day, status: 'Paid', items: [item('AddFunds', 0, 'Add Funds', p.funds, false)], paidAfter: 0 });
      settle(c, inv, { over: 0, parts: 1, partialRefund: false });
      writeLedger(c, inv.paidDay, p.funds, `Add Funds Invoice #${inv.id}`, inv.id);
      return;
    }
    if (n >= firstMass && gathered.length < 4) {
      const gross = totals(c, p.items).gross;
      if (gross > 0) {
        const inv = writeInvoice(c, { day: p.day, items: p.items, status: massPaid ? 'Paid' : 'Unpaid', credit: massPaid ? gross : 0, paidAfter: massPaid ? END - p.day : 0 });
        gathered.push(inv);
        return;
      }
    }
    const status = chooseStatus(c, p);
    let credit = 0;
    if (status === 'Paid' && c.ledger > 0) credit = Math.min(c.ledger, Math.max(0, totals(c, p.items).gross));
    const zeroDate = MESS && r.chance(0.004);
    const inv = writeInvoice(c, { day: p.day, items: p.items, status, credit, zeroDate, nullDue: MESS && r.chance(0.003) });
    if (zeroDate) noteCase('zero_dates_invoices', 'tblinvoices', inv.id, 'imported; zero dates become null');
    if (credit) writeLedger(c, inv.paidDay, -credit, `Credit Applied to Invoice #${inv.id}`, inv.id);
    if (status === 'Paid' || status === 'Refunded') settle(c, inv);
    if (referral && referral.s === p.s && inv.gross > 0) commission(referral, inv, r);
  });
  if (gathered.length >= 2) {
    const inv = massPayment(c, gathered, END - 1, massPaid);
    noteCase(massPaid ? 'mass_payment_paid' : 'mass_payment_unpaid', 'tblinvoices', inv.id, massPaid ? 'imported as paid, flagged; children carry the same money as credit, so do not add them up twice' : 'skipped: mass_payment_unpaid (its children are imported as unpaid)');
    if (massPaid) {
      for (const ch of gathered) {
        writeLedger(c, END, ch.gross, `Mass Invoice Payment Credit for Invoice #${ch.id}`, ch.id);
        writeLedger(c, END, -ch.gross, `Credit Applied to Invoice #${ch.id}`, ch.id);
      }
    }
  } else if (gathered.length === 1 && massPaid) {
    // Only one invoice was left: it was paid by credit bought earlier, keep the ledger straight.
    writeLedger(c, END, gathered[0].gross, 'Goodwill credit', 0);
    writeLedger(c, END, -gathered[0].gross, `Credit Applied to Invoice #${gathered[0].id}`, gathered[0].id);
  }
  if (i === 1 || r.chance(0.02)) newAffiliate(c, r);
  if (list.length && r.chance(0.01)) {
    const s = list[0];
    emit('tblupgrades', { id: nextId('tblupgrades'), userid: c.id, orderid: 0, type: 'package', date: fmtDay(END - 30), relid: s.id, originalvalue: String(s.productId), newvalue: '3,monthly', new_cycle: 'Monthly', amount: 350, new_recurring_amount: 1599, recurringchange: 700, status: 'Completed', paid: 'Y' });
  }
}

// ---------------------------------------------------------------------------
// Affiliates
// ---------------------------------------------------------------------------

function newAffiliate(c, r, o = {}) {
  const a = {
    id: nextId('tblaffiliates'), clientId: c.id, currency: c.currency, outcome: c.outcome === 'skipped' ? 'skipped' : 'imported', r: new Rng(`${opt.seed}/affiliate/${c.id}`),
    paytype: o.paytype ?? r.weighted([['', 60], ['percentage', 30], ['fixed', 10]]), payamount: 0, onetime: r.chance(0.2) ? 1 : 0, balance: 0, withdrawn: 0, date: r.int(c.reg, END), pending: 0,
  };
  if (a.paytype === 'percentage') a.payamount = r.pick([1500, 2000, 750]);
  if (a.paytype === 'fixed') a.payamount = 500;
  affiliates.push(a);
  return a;
}

function startReferral(a, s, r) {
  const ref = { a, s, id: nextId('tblaffiliatesaccounts'), paid: 0, last: 0 };
  const ok = a.outcome === 'imported' && s.outcome === 'imported';
  // lastpaid is only a display date; the row is written now, so it is filled from the service's start.
  emit('tblaffiliatesaccounts', { id: ref.id, affiliateid: a.id, relid: s.id, lastpaid: r.chance(0.2) ? ZERO_DATE : fmtDay(Math.min(END, s.start + 20)), created_at: fmtDateTime(s.start, r), updated_at: ZERO_DT });
  record('referrals', 'tblaffiliatesaccounts', ref.id, ok ? 'imported' : 'skipped', ok ? null : a.outcome === 'imported' ? 'service_not_imported' : 'affiliate_not_imported');
  return ref;
}

function writeHistory(a, day, cents, description, affaccid, invoiceId) {
  const id = nextId('tblaffiliateshistory');
  emit('tblaffiliateshistory', { id, affiliateid: a.id, date: fmtDay(Math.min(END, day)), affaccid, ...(V8 ? { invoice_id: invoiceId } : {}), description, amount: cents, created_at: stamp(Math.min(END, day)), updated_at: ZERO_DT });
  a.balance += cents;
  record('commissions', 'tblaffiliateshistory', id, a.outcome, a.outcome === 'skipped' ? 'affiliate_not_imported' : null, codeOf(a.currency), { amount: cents });
}

function commission(ref, inv, r) {
  const a = ref.a;
  if (inv.status !== 'Paid' && inv.status !== 'Refunded') return;
  if (a.onetime && ref.paid > 0) return;
  const milli = a.paytype === 'percentage' ? a.payamount * 10 : 10000;
  const cents = a.paytype === 'fixed' ? a.payamount : percentOf(inv.subtotal, milli);
  if (cents <= 0) return;
  ref.paid++;
  if (END - inv.paidDay < 30) {
    const id = nextId('tblaffiliatespending');
    emit('tblaffiliatespending', { id, affaccid: ref.id, ...(V8 ? { invoice_id: inv.id } : {}), amount: cents, clearingdate: fmtDay(inv.paidDay + 30), created_at: stamp(inv.paidDay), updated_at: ZERO_DT });
    record('pendingCommissions', 'tblaffiliatespending', id, a.outcome, a.outcome === 'skipped' ? 'affiliate_not_imported' : null, codeOf(a.currency), { amount: cents });
    return;
  }
  writeHistory(a, inv.paidDay + 30, cents, r.chance(0.5) ? '' : `Invoice #${inv.id}`, ref.id, inv.id);
  if (inv.status === 'Refunded') writeHistory(a, inv.paidDay + 31, -cents, `Reversal: Invoice #${inv.id} refunded`, ref.id, inv.id);
}

function finishAffiliates() {
  for (const a of affiliates) {
    const r = a.r;
    if (a.balance >= 2500 && r.chance(0.5)) {
      const cents = Math.floor(a.balance / 500) * 500;
      const id = nextId('tblaffiliateswithdrawals');
      emit('tblaffiliateswithdrawals', { id, affiliateid: a.id, date: fmtDay(END - r.int(1, 60)), amount: cents, created_at: stamp(END - 1), updated_at: ZERO_DT });
      a.balance -= cents;
      a.withdrawn += cents;
      record('payouts', 'tblaffiliateswithdrawals', id, a.outcome, a.outcome === 'skipped' ? 'affiliate_not_imported' : null, codeOf(a.currency), { amount: cents });
    }
    emit('tblaffiliates', { id: a.id, date: fmtDay(a.date), clientid: a.clientId, visitors: r.int(0, 4000), paytype: a.paytype, payamount: a.payamount, onetime: a.onetime, balance: a.balance, withdrawn: a.withdrawn, created_at: r.chance(0.2) ? ZERO_DT : stamp(a.date), updated_at: ZERO_DT });
    record('affiliates', 'tblaffiliates', a.id, a.outcome, a.outcome === 'skipped' ? 'client_not_imported' : null, codeOf(a.currency), { balance: a.balance, withdrawn: a.withdrawn });
  }
}

// ---------------------------------------------------------------------------
// --mess: crafted clients and rows, one block per case
// ---------------------------------------------------------------------------

const GHOST = 990000000; // ids that exist in no table

function messCases() {
  const rng = (name) => new Rng(`${opt.seed}/mess/${name}`);
  const plain = (name, o = {}, services = 1) => {
    const r = rng(name);
    const c = makeClient(r, { plain: true, status: 'Active', country: 'DE', currency: 1, passwordKind: 'bcrypt', exempt: 0, ...o });
    if (services) live(c, services, 0);
    return c;
  };
  const done = (c) => { finishClient(c); return c.id; };

  // --- text that breaks parsers ------------------------------------------------
  const texts = {
    quotes: `O'Brien \\ "Bob" '' \\' ); DROP TABLE tblclients; --`,
    trailing_backslash: 'C:\\games\\server\\',
    only_backslash: '\\',
    control_chars: 'nul:\0 sub:\x1a tab:\t cr:\r lf:\n crlf:\r\n bell:\x07 end',
    comment_like: '-- dash\n# hash\n/* star */ /*!50000 nope */ ; semicolon ;; // slashes',
    statement_like: "first line');\nINSERT INTO `tblclients` VALUES (66600666,'','fake','fake');\nDELIMITER ;;\nUNLOCK TABLES;\n/*!40000 ALTER TABLE `tblclients` ENABLE KEYS */;\nlast line",
    parens: "),(66600667,'','x','y'),(",
    emoji: '\u{1F469}\u200D\u{1F469}\u200D\u{1F467} \u{1F1EA}\u{1F1FA} \u{20BB7}\u91CE\u5BB6 \u0645\u0631\u062D\u0628\u0627 e\u0301 \u00ad\u200b|',
    mojibake: 'M\u00c3\u00bcller \u00e2\u20ac\u0153quoted\u00e2\u20ac\u009d Jos\u00c3\u00a9',
    entities: 'Tom &amp; Jerry&#039;s &quot;Saloon&quot; &lt;b&gt; &amp;amp;',
    percent_underscore: '100% \\% \\_ _under_ %s %d ${x} {{y}}',
    long_notes: `${'0123456789abcdef \u00e9 \' " \\ \n'.repeat(2400)}end`,
    null_word: 'NULL', number_word: '0x41', empty: '',
  };
  for (const [name, text] of Object.entries(texts)) {
    const c = plain(`text-${name}`, { notes: text, address1: name === 'long_notes' ? '1 Long Street' : text, lastname: 'Text' });
    const id = done(c);
    noteCase(`text_${name}`, 'tblclients', id, name === 'control_chars'
      ? 'imported; a store that cannot hold NUL (PostgreSQL text) removes it and warns nul_removed; nothing else changes'
      : 'imported; columns notes and address1 hold the exact value (samples) before HTML entities are decoded');
    sample('tblclients', id, 'notes', text);
    if (name !== 'long_notes') sample('tblclients', id, 'address1', text);
    if (name === 'entities') decoded.push({ table: 'tblclients', id, column: 'address1', stored: text, shown: 'Tom & Jerry\'s "Saloon" <b> &amp;' });
  }

  // --- binary columns ------------------------------------------------------------
  const raw = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  {
    const c = plain('blob', { cardnum: raw, expdate: Buffer.from("'\\\"\n\r\0\x1a);--") });
    const id = done(c);
    noteCase('blob_columns', 'tblclients', id, 'imported; encrypted card columns are never imported');
    sampleBlob('tblclients', id, 'cardnum', raw);
    const big = Buffer.alloc(300000);
    for (let i = 0; i < big.length; i++) big[i] = (i * 7 + (i >> 8)) & 255;
    emit('mod_discordlink', { id: 1, client_id: id, discord_id: '80351110224678912', token: big, created_at: stamp(END) });
    emit('mod_discordlink', { id: 2, client_id: id, discord_id: '', token: '', created_at: ZERO_DT });
    sampleBlob('mod_discordlink', 1, 'token', big);
    noteCase('foreign_tables', 'mod_discordlink', [1, 2], 'table listed as not imported');
    emit('wp_users', { ID: 1, user_login: 'admin', user_pass: '$P$BExampleExampleExampleExample1', user_email: 'wp@example.com', user_registered: ZERO_DT });
  }

  // --- one multi-megabyte value in a table that is not imported --------------------
  {
    const id = nextId('tblemails');
    emit('tblemails', { id, userid: 1, subject: 'Newsletter', message: `<html>${"<p>It's a very \"long\" message; really \\o/ </p>\n".repeat(60000)}</html>`, date: fmtDateTime(END, rng('mail')), to: null, cc: null, bcc: null });
    noteCase('huge_value', 'tblemails', id, 'a value of about 3 MB in an ignored table must not stop or slow the import');
  }

  // --- logins ----------------------------------------------------------------------
  const dup = [];
  for (const [k, email] of ['Duplicate.Person@Example.com', 'duplicate.person@example.com', ' DUPLICATE.PERSON@EXAMPLE.COM '].entries()) {
    const c = plain(`dup-${k}`, { email, firstname: 'Dup', lastname: String(k), passwordKind: k === 0 ? 'bcryptKnown' : 'md5salt', noOwner: k > 0 }, k === 1 ? 2 : 1);
    if (k === 1) writeLedger(c, END - 5, 1234, 'Goodwill credit');
    dup.push(done(c));
  }
  noteCase('duplicate_email_case', 'tblclients', dup, 'one user (the first id); the other clients are merged into it with all their services, invoices and credit');
  for (const [k, email] of ['', 'n/a', 'nobody at example dot com'].entries()) {
    const c = plain(`bad-email-${k}`, { email, noOwner: true }, 2);
    writeLedger(c, END - 5, 500 + k, 'Goodwill credit');
    noteCase('invalid_email', 'tblclients', done(c), 'skipped: invalid_email; everything that belongs to it is skipped: client_not_imported');
  }
  for (const kind of ['md5salt', 'md5', 'hmac', 'encrypted', 'empty', 'bcryptKnown']) {
    const c = plain(`pw-${kind}`, { passwordKind: kind });
    noteCase(`password_${kind}`, V8 ? 'tblusers' : 'tblclients', V8 ? c.userId : c.id, 'see hashes and logins');
    done(c);
  }
  if (V8) {
    const a = plain('v8-owner', { ownerEmail: 'owner.other@example.com', email: 'billing.contact@example.com' });
    noteCase('v8_owner_email_differs', 'tblclients', done(a), 'login e-mail is the owner user\'s (owner.other@example.com); the client e-mail is kept as the billing contact');
    const b = plain('v8-shared-1', { ownerEmail: 'two.companies@example.com', email: 'first.company@example.com', keepUser: true });
    done(b);
    const d = plain('v8-shared-2', { shareUserId: b.userId, email: 'second.company@example.com', currency: 2 });
    done(d);
    noteCase('v8_one_user_two_clients', 'tblclients', [b.id, d.id], 'one user; the second client is merged (duplicate_email); its money stays in its own currency');
    const e = plain('v8-no-owner', { noOwner: true, email: 'no.owner@example.com' });
    noteCase('v8_client_without_owner', 'tblclients', done(e), 'imported with the client e-mail and no password: password_reset_required');
    const u = { id: nextId('tblusers'), email: 'staff.of.client@example.com' };
    const r = rng('v8-extra-user');
    emitUser(u, b, r, BCRYPT[1].hash);
    emit('tblusers_clients', { id: nextId('tblusers_clients'), auth_user_id: u.id, client_id: b.id, invite_id: 3, owner: 0, permissions: 'profile,products', last_login: null, created_at: stamp(END - 9), updated_at: stamp(END - 9) });
    emit('tblusers_clients', { id: nextId('tblusers_clients'), auth_user_id: GHOST + 1, client_id: GHOST + 2, owner: 1, permissions: null, last_login: null, created_at: null, updated_at: null });
    noteCase('v8_user_without_own_client', 'tblusers', u.id, 'not imported: user_without_client');
  }

  // --- invoices --------------------------------------------------------------------
  {
    const c = plain('credit-note', { country: 'US' }, 0);
    const inv = writeInvoice(c, { day: END - 40, status: 'Paid', items: [item('', 0, 'Credit note for invoice 12', -1999, false)], num: 'CN-2025-0001' });
    noteCase('negative_invoice', 'tblinvoices', inv.id, 'imported with negative totals');
    const inv2 = writeInvoice(c, { day: END - 39, status: 'Cancelled', items: [item('Item', 1, 'Wrong amount typed by hand', 1234567890123, false)] });
    noteCase('huge_amount', 'tblinvoices', inv2.id, '12345678901.23 = 1234567890123 cents: does not fit 32 bits');
    const inv3 = writeInvoice(c, { day: END - 38, status: 'Paid', items: [item('Hosting', 0, 'Free month', 0, true)] });
    noteCase('zero_invoice', 'tblinvoices', inv3.id, 'imported, total 0, no transaction');
    const inv4 = writeInvoice(c, { day: END - 37, status: 'Unpaid', items: [] });
    noteCase('invoice_without_items', 'tblinvoices', inv4.id, 'imported, no item');
    // Cents that a float cannot hold exactly.
    const floats = writeInvoice(c, { day: END - 36, status: 'Paid', num: 'INV-FLOAT', items: [29, 57, 58, 110, 115, 435, 820, 1010, 1999, 4035].map((v) => item('Item', 0, `float trap ${v}`, v, false)) });
    settle(c, floats, { over: 0, parts: 2, partialRefund: false });
    noteCase('float_traps', 'tblinvoices', floats.id, 'items 0.29 0.57 0.58 1.10 1.15 4.35 8.20 10.10 19.99 40.35; total 8628 cents');
    done(c);
  }
  {
    const c = plain('mismatch', { country: 'FR' }, 0);
    for (const skew of [1, -1]) {
      const inv = writeInvoice(c, { day: END - 60, status: 'Paid', items: [item('Item', 0, 'Consulting', 3333, true)], skew });
      settle(c, inv, { over: 0, parts: 1, partialRefund: false });
      noteCase('total_mismatch', 'tblinvoices', inv.id, 'imported as stored, warning total_mismatch: subtotal + tax + tax2 - credit <> total');
    }
    const a = writeInvoice(c, { day: END - 50, status: 'Paid', num: 'INV-DUPLICATE-1', items: [item('Item', 0, 'First', 1000, true)] });
    settle(c, a, { over: 0, parts: 1, partialRefund: false });
    const b = writeInvoice(c, { day: END - 49, status: 'Paid', num: 'INV-DUPLICATE-1', items: [item('Item', 0, 'Second', 1100, true)] });
    settle(c, b, { over: 0, parts: 1, partialRefund: false });
    warn('duplicate_invoice_number', 'tblinvoices', b.id);
    noteCase('duplicate_invoice_number', 'tblinvoices', [a.id, b.id], 'both imported; the second keeps its source id as number, warning duplicate_invoice_number');
    done(c);
  }
  {
    // Refunds of every kind.
    const c = plain('refunds', { country: 'NL' }, 0);
    const full = writeInvoice(c, { day: END - 90, status: 'Refunded', items: [item('Item', 0, 'Refunded in full', 2500, true)] });
    settle(c, full, { over: 0, parts: 1 });
    const part = writeInvoice(c, { day: END - 80, status: 'Paid', items: [item('Item', 0, 'Refunded in part', 4000, true)] });
    settle(c, part, { over: 0, parts: 1, partialRefund: true });
    const toCredit = writeInvoice(c, { day: END - 70, status: 'Refunded', items: [item('Item', 0, 'Refunded to credit', 1500, false)] });
    writeTransaction(c, { day: END - 70, amountin: 1500, fees: 46, invoiceid: toCredit.id });
    writeLedger(c, END - 65, 1500, `Refund from Invoice #${toCredit.id}`, toCredit.id);
    noteCase('refunds', 'tblinvoices', [full.id, part.id, toCredit.id], 'full refund, partial refund (stays Paid), refund to credit (no amountout)');
    done(c);
  }
  {
    // Paid partly by credit, then a mass payment, then an unpaid mass payment.
    const c = plain('mass', { country: 'US' }, 0);
    const funds = writeInvoice(c, { day: END - 100, status: 'Paid', paidAfter: 0, items: [item('AddFunds', 0, 'Add Funds', 5000, false)] });
    settle(c, funds, { over: 0, parts: 1, partialRefund: false });
    writeLedger(c, END - 100, 5000, `Add Funds Invoice #${funds.id}`, funds.id);
    const half = writeInvoice(c, { day: END - 90, status: 'Paid', credit: 1000, items: [item('Item', 0, 'Half by credit', 2000, false)] });
    writeLedger(c, END - 88, -1000, `Credit Applied to Invoice #${half.id}`, half.id);
    settle(c, half, { over: 0, parts: 1, partialRefund: false });
    const kids = [1100, 2250].map((v) => writeInvoice(c, { day: END - 30, status: 'Paid', credit: v, paidAfter: 10, items: [item('Item', 0, 'Child', v, false)] }));
    const paid = massPayment(c, kids, END - 20, true);
    for (const k of kids) { writeLedger(c, END - 20, k.gross, `Mass Invoice Payment Credit for Invoice #${k.id}`, k.id); writeLedger(c, END - 20, -k.gross, `Credit Applied to Invoice #${k.id}`, k.id); }
    noteCase('mass_payment_paid', 'tblinvoices', paid.id, 'imported as paid, flagged; children carry the same money as credit, so do not add them up twice');
    const open = [700, 800].map((v) => writeInvoice(c, { day: END - 5, status: 'Unpaid', items: [item('Item', 0, 'Open child', v, false)] }));
    const unpaid = massPayment(c, open, END - 4, false);
    noteCase('mass_payment_unpaid', 'tblinvoices', unpaid.id, 'skipped: mass_payment_unpaid (its children are imported as unpaid)');
    done(c);
  }
  {
    const c = plain('opening-credit', {}, 0);
    c.openingCredit = 777;
    writeLedger(c, END - 3, 223, 'Goodwill credit');
    noteCase('credit_ledger_mismatch', 'tblclients', done(c), 'balance 1000 but ledger 223: the balance wins, warning credit_ledger_mismatch');
    const d = plain('negative-credit', {}, 0);
    d.openingCredit = -350;
    noteCase('negative_credit', 'tblclients', done(d), 'balance -350 is imported as a debt, never dropped');
  }
  for (const status of ['Closed', 'Inactive']) noteCase(`client_${status.toLowerCase()}`, 'tblclients', done(plain(`status-${status}`, { status }, 2)), 'imported with its status; services and invoices kept');
  noteCase('zero_dates', 'tblclients', done(plain('zero-dates', { zeroDates: true })), 'imported; zero dates become null, never 1970 and never an error');

  // --- services: every cycle, every state, zero dates ---------------------------------
  {
    const r = rng('services');
    const c = makeClient(r, { plain: true, status: 'Active', country: 'DE', currency: 2, passwordKind: 'bcrypt', exempt: 0 });
    const ids = [];
    for (const cy of CYCLES) {
      const s = planService(c, { product: productById.get(1), cycle: cy.label, status: 'Active' });
      planInvoices(c, s, []);
      writeService(c, s);
      ids.push(s.id);
    }
    noteCase('every_cycle', 'tblhosting', ids, 'Monthly, Quarterly, Semi-Annually, Annually, Biennially, Triennially');
    const states = [];
    for (const status of SERVICE_STATES) {
      const s = planService(c, { product: productById.get(2), cycle: 'Monthly', status });
      planInvoices(c, s, []);
      writeService(c, s);
      states.push(s.id);
    }
    noteCase('every_state', 'tblhosting', states, SERVICE_STATES.join(', '));
    for (const pid of [13, 14, 15, 17]) { const s = planService(c, { product: productById.get(pid), cycle: pid === 17 ? 'Monthly' : undefined, status: 'Active' }); writeService(c, s); noteCase('free_and_one_time', 'tblhosting', s.id, 'Free Account and One Time have no next due date; a 0.00 Monthly service is recurring'); }
    const z = planService(c, { product: productById.get(3), cycle: 'Monthly', status: 'Active' });
    z.zeroDates = true; z.nullNext = true; z.qty = 3; z.domain = '';
    writeService(c, z);
    noteCase('service_zero_dates', 'tblhosting', z.id, 'regdate 0000-00-00, nextduedate NULL, qty 3 (schema 8), empty domain');
    const lost = planService(c, { product: productById.get(5), cycle: 'Monthly', status: 'Active' });
    lost.productId = GHOST;
    writeService(c, lost);
    noteCase('orphan_service_product', 'tblhosting', lost.id, 'skipped: orphan_product');
    finishClient(c);
  }

  orphans(rng('orphans'));
}

/** Rows whose parent is in no table. WHMCS leaves such rows when a client is deleted. */
function orphans(r) {
  const ghost = GHOST + 100;
  const reason = 'orphan_client';
  const host = [];
  for (const k of [0, 1]) {
    const id = nextId('tblhosting');
    emit('tblhosting', { id, userid: ghost + k, orderid: 0, packageid: 1, regdate: '2020-01-01', domain: 'gone.example.net', paymentmethod: 'paypal', firstpaymentamount: 499, amount: 499, billingcycle: 'Monthly', nextduedate: '2020-02-01', nextinvoicedate: '2020-02-01', domainstatus: 'Terminated', username: '', password: '', lastupdate: ZERO_DT, created_at: ZERO_DT });
    record('services', 'tblhosting', id, 'skipped', reason, 'UNKNOWN', { recurring: 499, first: 499 });
    countStatus('services', 'Terminated', 'UNKNOWN', { recurring: 499 });
    addMoney(((statuses.serviceCycles ??= {}).Monthly ??= {}), 'UNKNOWN', { recurring: 499 });
    host.push(id);
  }
  noteCase('orphan_services', 'tblhosting', host, 'skipped: orphan_client');
  const invs = [];
  const its = [];
  for (const k of [0, 1, 2]) {
    const id = nextId('tblinvoices');
    const cents = 1000 + k * 111;
    emit('tblinvoices', { id, userid: ghost + k, invoicenum: '', date: '2020-01-01', duedate: '2020-01-08', datepaid: k ? '2020-01-02 10:00:00' : ZERO_DT, subtotal: cents, total: cents, status: k ? 'Paid' : 'Unpaid', paymentmethod: 'paypal', created_at: ZERO_DT });
    record('invoices', 'tblinvoices', id, 'skipped', reason, 'UNKNOWN', { subtotal: cents, tax: 0, tax2: 0, credit: 0, total: cents, gross: cents });
    countStatus('invoices', k ? 'Paid' : 'Unpaid', 'UNKNOWN', { total: cents, gross: cents });
    const iid = nextId('tblinvoiceitems');
    emit('tblinvoiceitems', { id: iid, invoiceid: id, userid: ghost + k, type: 'Hosting', relid: GHOST, description: 'Line of an orphan invoice', amount: cents, taxed: 0, duedate: '2020-01-08', paymentmethod: 'paypal' });
    record('invoiceItems', 'tblinvoiceitems', iid, 'skipped', 'invoice_not_imported', 'UNKNOWN', { amount: cents });
    invs.push(id); its.push(iid);
    if (k) {
      const t = nextId('tblaccounts');
      emit('tblaccounts', { id: t, userid: ghost + k, currency: 0, gateway: 'paypal', date: '2020-01-02 10:00:00', description: 'Invoice Payment', amountin: cents, fees: 30, transid: `ORPHAN${k}`, invoiceid: id });
      record('transactions', 'tblaccounts', t, 'skipped', reason, 'UNKNOWN', { amountIn: cents, amountOut: 0, fees: 30 });
    }
  }
  noteCase('orphan_invoices', 'tblinvoices', invs, 'skipped: orphan_client, with their items (invoice_not_imported) and transactions (orphan_client)');
  const lost = [];
  for (const k of [0, 1, 2, 3]) {
    const iid = nextId('tblinvoiceitems');
    emit('tblinvoiceitems', { id: iid, invoiceid: k === 3 ? 0 : GHOST + 5 + k, userid: firstClient.id, type: k === 3 ? 'Item' : 'Hosting', relid: 0, description: k === 3 ? 'Not invoiced yet (invoiceid 0)' : 'Line of a deleted invoice', amount: 250, taxed: 1, duedate: null, paymentmethod: '' });
    // Without an invoice the currency comes from the item's own userid, when that client exists.
    record('invoiceItems', 'tblinvoiceitems', iid, 'skipped', 'orphan_invoice', codeOf(firstClient.currency), { amount: 250 });
    lost.push(iid);
  }
  noteCase('orphan_items', 'tblinvoiceitems', lost, 'skipped: orphan_invoice (also invoiceid 0: items queued for the next invoice)');
  const one = { id: firstClient.id, currency: firstClient.currency, outcome: 'imported', gateway: 'paypal', r };
  const kept = [];
  for (const k of [0, 1]) { const t = writeTransaction(one, { day: END - 10, amountin: 640 + k, fees: 19, invoiceid: GHOST + 50 + k, transid: `LOSTINV${k}`, zeroDate: k === 1 }); warn('missing_invoice', 'tblaccounts', t); kept.push(t); }
  noteCase('transaction_of_deleted_invoice', 'tblaccounts', kept, 'imported without invoice, warning missing_invoice');
  const exp = [];
  for (const k of [0, 1]) {
    const t = nextId('tblaccounts');
    emit('tblaccounts', { id: t, userid: 0, currency: 1, gateway: 'banktransfer', date: '2024-03-01 00:00:00', description: k ? 'Server rent' : 'Domain reseller top-up', amountout: 4900 + k, transid: '', invoiceid: 0 });
    record('transactions', 'tblaccounts', t, 'skipped', 'no_client', 'EUR', { amountIn: 0, amountOut: 4900 + k, fees: 0 });
    exp.push(t);
  }
  noteCase('expenses', 'tblaccounts', exp, 'skipped: no_client (the company\'s own expenses)');
  const cr = nextId('tblcredit');
  emit('tblcredit', { id: cr, clientid: ghost, date: '2020-01-01', description: 'Credit of a deleted client', amount: 999 });
  record('creditLedger', 'tblcredit', cr, 'skipped', reason, 'UNKNOWN', { amount: 999 });
  const od = nextId('tblorders');
  emit('tblorders', { id: od, ordernum: 123456, userid: ghost, date: ZERO_DT, amount: 499, paymentmethod: 'paypal', status: 'Cancelled', orderdata: '' });
  record('orders', 'tblorders', od, 'skipped', reason, 'UNKNOWN', { amount: 499 });

  // An affiliate of a deleted client, with everything below it.
  const aff = nextId('tblaffiliates');
  emit('tblaffiliates', { id: aff, date: null, clientid: ghost, visitors: 3, paytype: '', payamount: 0, onetime: 0, balance: 4321, withdrawn: 100, created_at: ZERO_DT });
  record('affiliates', 'tblaffiliates', aff, 'skipped', reason, 'UNKNOWN', { balance: 4321, withdrawn: 100 });
  const acc = nextId('tblaffiliatesaccounts');
  emit('tblaffiliatesaccounts', { id: acc, affiliateid: aff, relid: GHOST, lastpaid: ZERO_DATE, created_at: ZERO_DT });
  record('referrals', 'tblaffiliatesaccounts', acc, 'skipped', 'affiliate_not_imported');
  for (const [affiliateid, cents, why] of [[aff, 4321, 'affiliate_not_imported'], [GHOST, 55, 'orphan_affiliate']]) {
    const id = nextId('tblaffiliateshistory');
    emit('tblaffiliateshistory', { id, affiliateid, date: '2020-01-01', affaccid: acc, description: '', amount: cents, created_at: ZERO_DT });
    record('commissions', 'tblaffiliateshistory', id, 'skipped', why, 'UNKNOWN', { amount: cents });
  }
  for (const [affaccid, cents, why] of [[acc, 77, 'affiliate_not_imported'], [GHOST, 88, 'orphan_referral']]) {
    const id = nextId('tblaffiliatespending');
    emit('tblaffiliatespending', { id, affaccid, amount: cents, clearingdate: '2025-07-20', created_at: ZERO_DT });
    record('pendingCommissions', 'tblaffiliatespending', id, 'skipped', why, 'UNKNOWN', { amount: cents });
  }
  const wd = nextId('tblaffiliateswithdrawals');
  emit('tblaffiliateswithdrawals', { id: wd, affiliateid: aff, date: '2020-05-01', amount: 100, created_at: ZERO_DT });
  record('payouts', 'tblaffiliateswithdrawals', wd, 'skipped', 'affiliate_not_imported', 'UNKNOWN', { amount: 100 });
  // A referral whose service is gone: the affiliate's money stays.
  const live1 = affiliates[0];
  const acc2 = nextId('tblaffiliatesaccounts');
  emit('tblaffiliatesaccounts', { id: acc2, affiliateid: live1.id, relid: GHOST, lastpaid: '2024-01-01', created_at: ZERO_DT });
  record('referrals', 'tblaffiliatesaccounts', acc2, 'skipped', 'orphan_service');
  writeHistory(live1, END - 100, 1500, 'Commission of a service that was deleted', acc2, 0);
  noteCase('orphan_affiliates', 'tblaffiliates', aff, 'skipped: orphan_client, and everything below it');
}

// ---------------------------------------------------------------------------
// Assembly: header, tables in name order (so children come before their parents), footer
// ---------------------------------------------------------------------------

const HEAD = {
  mysqldump: () => `${MESS ? '/*M!999999\\- enable the sandbox mode */ \n' : ''}-- MySQL dump 10.13  Distrib 5.7.44, for Linux (x86_64)
--
-- Host: localhost    Database: whmcs
-- ------------------------------------------------------
-- Server version\t5.7.44

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES ${MESS ? 'utf8mb4' : 'utf8'} */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;
`,
  phpmyadmin: () => `-- phpMyAdmin SQL Dump
-- version 5.2.1
-- https://www.phpmyadmin.net/
--
-- Host: localhost:3306
-- Generation Time: Jun 30, 2025 at 03:00 AM
-- Server version: 10.6.18-MariaDB
-- PHP Version: 8.1.29

SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";
START TRANSACTION;
SET time_zone = "+00:00";


/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;

--
-- Database: \`whmcs\`
--
`,
  complete: () => HEAD.mysqldump().replace('-- Host:', '-- (complete-insert, skip-extended-insert)\n-- Host:'),
};

const FOOT = {
  mysqldump: () => `/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on 2025-06-30  3:00:07
`,
  phpmyadmin: () => {
    let s = '--\n-- Indexes for dumped tables\n--\n\n';
    for (const t of Object.values(tables)) {
      const keys = (UNIQUE_KEYS[t.name] ?? []).map((k) => `,\n  ADD UNIQUE KEY \`uniq\` (\`${k}\`)`).join('')
        + (EXTRA_KEYS[t.name] ?? []).map((k) => `,\n  ADD KEY \`${k}\` (\`${k}\`)`).join('');
      s += `--\n-- Indexes for table \`${t.name}\`\n--\nALTER TABLE \`${t.name}\`\n  ADD PRIMARY KEY (\`${t.columns[0].name}\`)${keys};\n\n`;
    }
    s += '--\n-- AUTO_INCREMENT for dumped tables\n--\n\n';
    for (const t of Object.values(tables)) {
      const c = t.columns[0];
      s += `--\n-- AUTO_INCREMENT for table \`${t.name}\`\n--\nALTER TABLE \`${t.name}\`\n  MODIFY \`${c.name}\` ${c.kind.sql} AUTO_INCREMENT${t.maxId ? `, AUTO_INCREMENT=${t.maxId + 1}` : ''};\n\n`;
    }
    return `${s}COMMIT;

/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
`;
  },
  complete: () => FOOT.mysqldump(),
};

/** Trigger, routine and view: statements an importer must step over, with INSERTs inside. */
const TRIGGER = `/*!50003 SET @saved_cs_client      = @@character_set_client */ ;
/*!50003 SET @saved_sql_mode       = @@sql_mode */ ;
/*!50003 SET sql_mode              = '' */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`whmcs\`@\`localhost\`*/ /*!50003 TRIGGER \`trg_invoice_paid\` BEFORE UPDATE ON \`tblinvoices\` FOR EACH ROW
BEGIN
  -- this body must never be read as data; it's only a trigger
  IF NEW.status = 'Paid' AND OLD.status <> 'Paid' THEN
    INSERT INTO \`tblactivitylog\` (\`date\`, \`description\`, \`user\`, \`userid\`, \`ipaddr\`) VALUES (NOW(), 'paid; by trigger', 'trigger', NEW.userid, '');
    INSERT INTO \`tblclients\` VALUES (66600668,'fake');
  END IF;
END */;;
DELIMITER ;
/*!50003 SET sql_mode              = @saved_sql_mode */ ;
`;
const ROUTINE = `--
-- Dumping routines for database 'whmcs'
--
/*!50003 DROP PROCEDURE IF EXISTS \`fix_invoice\` */;
DELIMITER ;;
CREATE DEFINER=\`whmcs\`@\`localhost\` PROCEDURE \`fix_invoice\`(IN pid INT)
BEGIN
  UPDATE tblinvoices SET total = 0 WHERE id = pid; /* it's "quoted" */
END ;;
DELIMITER ;
--
-- Final view structure for view \`v_active\`
--
/*!50001 DROP VIEW IF EXISTS \`v_active\`*/;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=\`whmcs\`@\`localhost\` SQL SECURITY DEFINER */
/*!50001 VIEW \`v_active\` AS select \`tblhosting\`.\`id\` AS \`id\` from \`tblhosting\` where \`tblhosting\`.\`domainstatus\` = 'Active' */;
`;

class Sink {
  constructor(file, gzip) {
    this.hash = crypto.createHash('sha256');
    this.bytes = 0;
    this.fileStream = fs.createWriteStream(file);
    this.out = gzip ? zlib.createGzip({ level: 6 }) : this.fileStream;
    if (gzip) this.out.pipe(this.fileStream);
  }
  async write(data) {
    const buf = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    this.hash.update(buf);
    this.bytes += buf.length;
    if (!this.out.write(buf)) await once(this.out, 'drain');
  }
  async close() {
    const finished = once(this.fileStream, 'finish');
    this.out.end();
    await finished;
  }
}

async function assemble() {
  const sink = new Sink(opt.out, opt.gzip);
  await sink.write(HEAD[opt.style]());
  for (const t of Object.values(tables)) {
    t.close();
    if (opt.style === 'phpmyadmin') {
      await sink.write(`\n-- --------------------------------------------------------\n\n--\n-- Table structure for table \`${t.name}\`\n--\n\n${t.ddl()}`);
      if (t.rows) await sink.write(`\n--\n-- Dumping data for table \`${t.name}\`\n--\n\n`);
    } else {
      await sink.write(`\n--\n-- Table structure for table \`${t.name}\`\n--\n\nDROP TABLE IF EXISTS \`${t.name}\`;\n/*!40101 SET @saved_cs_client     = @@character_set_client */;\n/*!40101 SET character_set_client = utf8 */;\n${t.ddl()}/*!40101 SET character_set_client = @saved_cs_client */;\n`);
      await sink.write(`\n--\n-- Dumping data for table \`${t.name}\`\n--\n\nLOCK TABLES \`${t.name}\` WRITE;\n/*!40000 ALTER TABLE \`${t.name}\` DISABLE KEYS */;\n`);
    }
    for await (const chunk of fs.createReadStream(t.file, { highWaterMark: 1 << 20 })) await sink.write(chunk);
    if (opt.style !== 'phpmyadmin') {
      await sink.write(`/*!40000 ALTER TABLE \`${t.name}\` ENABLE KEYS */;\nUNLOCK TABLES;\n`);
      if (MESS && t.name === 'tblinvoices') await sink.write(TRIGGER);
    }
  }
  if (MESS && opt.style !== 'phpmyadmin') await sink.write(ROUTINE);
  await sink.write(FOOT[opt.style]());
  await sink.close();
  fs.rmSync(partsDir, { recursive: true, force: true });
  return { sqlBytes: sink.bytes, sqlSha256: sink.hash.digest('hex') };
}

// ---------------------------------------------------------------------------
// Main
// ---------------------------------------------------------------------------

const IMPORTED_TABLES = new Set(Object.values({
  users: 'tblclients', categories: 'tblproductgroups', products: 'tblproducts', plans: 'tblpricing', services: 'tblhosting', orders: 'tblorders',
  invoices: 'tblinvoices', invoiceItems: 'tblinvoiceitems', transactions: 'tblaccounts', creditLedger: 'tblcredit', affiliates: 'tblaffiliates',
  referrals: 'tblaffiliatesaccounts', commissions: 'tblaffiliateshistory', pendingCommissions: 'tblaffiliatespending', payouts: 'tblaffiliateswithdrawals',
  coupons: 'tblpromotions', taxRates: 'tbltax',
}));
const REFERENCE_TABLES = new Set(['tblcurrencies', 'tblconfiguration', 'tblusers', 'tblusers_clients']);

buildCatalogue();
for (let i = 1; i <= opt.clients; i++) {
  if (i === 1) {
    // Client 1 is always plain: other cases refer to it.
    const r = new Rng(`${opt.seed}/client/1`);
    const c = makeClient(r, { plain: true, currency: 1, status: 'Active' });
    firstClient = c;
    live(c, 2, 1);
    finishClient(c);
  } else simulateClient(i);
}
if (MESS) messCases();
finishAffiliates();

const file = await assemble();

const tableFacts = {};
for (const t of Object.values(tables)) {
  tableFacts[t.name] = { rows: t.rows, use: IMPORTED_TABLES.has(t.name) ? 'imported' : REFERENCE_TABLES.has(t.name) ? 'reference' : 'not_imported' };
  if (Object.keys(t.sums).length) tableFacts[t.name].sumsCents = t.sums;
}
const sortKeys = (o) => Object.fromEntries(Object.entries(o).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
const expected = {
  generator: GENERATOR,
  options: { clients: opt.clients, seed: opt.seed, style: opt.style, gzip: opt.gzip, mess: opt.mess, schema: opt.schema, tax: opt.tax, noise: opt.noise },
  file: { name: path.basename(opt.out), ...file },
  source: { system: 'whmcs', version: V8 ? '8.3.2-release.1' : '7.10.3-release.1', defaultCurrency: 'EUR', taxType: opt.tax === 'inclusive' ? 'Inclusive' : 'Exclusive', charset: MESS || opt.style === 'phpmyadmin' ? 'utf8mb4' : 'utf8' },
  currencies: CURRENCIES.map((c) => ({ sourceId: c.id, code: c.code, rate: c.rate, default: c.id === 1 })),
  tables: tableFacts,
  import: sortKeys(results),
  controls: sortKeys(controls),
  statuses: sortKeys(statuses),
  plans,
  hashes: sortKeys(hashes),
  warnings: sortKeys(warnings),
  cases: sortKeys(cases),
  samples,
  decoded,
  logins,
};
fs.writeFileSync(`${opt.out}.expected.json`, `${JSON.stringify(expected, null, 1)}\n`);
process.stdout.write(`${JSON.stringify({ file: path.basename(opt.out), sqlBytes: file.sqlBytes, clients: tables.tblclients.rows, invoices: tables.tblinvoices.rows, rows: Object.values(tables).reduce((a, t) => a + t.rows, 0) })}\n`);
