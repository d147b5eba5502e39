-- Help articles: what a shop answers before it is asked.
create schema knowledge;
select platform.open_schema('knowledge');
-- A GIN index that begins with the tenant.
create extension if not exists btree_gin;

create table knowledge.categories (
  tenant_id    uuid not null,
  id           uuid not null,
  slug         text not null,
  -- By language: {"en": "Getting started"}.
  names        jsonb not null,
  descriptions jsonb not null default '{}',
  position     integer not null default 0,
  created_at   timestamptz(3) not null,
  archived_at  timestamptz(3),
  primary key (tenant_id, id)
);
create index categories_by_position on knowledge.categories (tenant_id, position, id);
comment on column knowledge.categories.names is 'json: Record<string, string>';
comment on column knowledge.categories.descriptions is 'json: Record<string, string>';
select platform.protect('knowledge.categories');

create table knowledge.articles (
  tenant_id   uuid not null,
  id          uuid not null,
  category_id uuid not null,
  audience    text not null check (audience in ('public', 'customers')),
  position    integer not null default 0,
  created_at  timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, category_id) references knowledge.categories
);
create index articles_of_category on knowledge.articles (tenant_id, category_id, position, id);
create index articles_by_position on knowledge.articles (tenant_id, position, id);
comment on column knowledge.articles.audience is 'type: ''public'' | ''customers''';
select platform.protect('knowledge.articles');

-- Every address below /help that was ever used, so that it is used for nothing else: an earlier one redirects.
create table knowledge.slugs (
  tenant_id   uuid not null,
  slug        text not null,
  category_id uuid,
  article_id  uuid,
  primary key (tenant_id, slug),
  foreign key (tenant_id, category_id) references knowledge.categories,
  foreign key (tenant_id, article_id) references knowledge.articles,
  check (num_nonnulls(category_id, article_id) = 1)
);
create index slugs_of_category on knowledge.slugs (tenant_id, category_id) where category_id is not null;
create index slugs_of_article on knowledge.slugs (tenant_id, article_id) where article_id is not null;
select platform.protect('knowledge.slugs');

-- An article in one language: what staff are writing, and which version readers see.
create table knowledge.texts (
  tenant_id       uuid not null,
  article_id      uuid not null,
  locale          text not null,
  slug            text not null,
  title           text not null,
  summary         text,
  markdown        text not null,
  -- Counts up with each change: what was published or saved meanwhile is never overwritten unseen.
  revision        integer not null,
  -- Null: readers do not see it.
  live_version_id uuid,
  updated_at      timestamptz(3) not null,
  primary key (tenant_id, article_id, locale),
  foreign key (tenant_id, article_id) references knowledge.articles,
  foreign key (tenant_id, slug) references knowledge.slugs
);
create index texts_by_slug on knowledge.texts (tenant_id, slug);
comment on column knowledge.texts.locale is
  'type: ''en'' | ''fr'' | ''de'' | ''nl'' | ''es'' | ''it'' | ''pl'' | ''pt''';
select platform.protect('knowledge.texts');

-- What was published. It never changes.
create table knowledge.versions (
  tenant_id    uuid not null,
  id           uuid not null,
  article_id   uuid not null,
  locale       text not null,
  number       integer not null,
  title        text not null,
  summary      text,
  markdown     text not null,
  author_id    uuid not null,
  published_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, article_id, locale) references knowledge.texts,
  unique (tenant_id, article_id, locale, number)
);
comment on column knowledge.versions.locale is
  'type: ''en'' | ''fr'' | ''de'' | ''nl'' | ''es'' | ''it'' | ''pl'' | ''pt''';
select platform.protect('knowledge.versions', append_only => true);
alter table knowledge.texts
  add foreign key (tenant_id, live_version_id) references knowledge.versions;
create index texts_live on knowledge.texts (tenant_id, live_version_id) where live_version_id is not null;

-- Whether an article helped: one answer per reader and version. A visitor is a hash that changes daily.
create table knowledge.feedback (
  tenant_id  uuid not null,
  id         uuid not null,
  version_id uuid not null,
  user_id    uuid,
  visitor    bytea,
  helpful    boolean not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, version_id) references knowledge.versions,
  foreign key (tenant_id, user_id) references users.users (tenant_id, id),
  check (user_id is null or visitor is null)
);
create unique index one_answer_per_customer on knowledge.feedback (tenant_id, version_id, user_id)
  where user_id is not null;
create unique index one_answer_per_visitor on knowledge.feedback (tenant_id, version_id, visitor)
  where visitor is not null;
create index feedback_on_version on knowledge.feedback (tenant_id, version_id, helpful);
create index feedback_of_customer on knowledge.feedback (tenant_id, user_id, id) where user_id is not null;
create index feedback_of_visitor on knowledge.feedback (tenant_id, visitor, created_at)
  where visitor is not null;
select platform.protect('knowledge.feedback');

-- The words of what readers see. Under row-level security PostgreSQL cannot use an index for `@@`, so this table has no
-- policy, and the application has no rights on it: it is reached through the functions below, which compare the tenant
-- they are asked for with that of the session (decision 224).
create table knowledge.search (
  tenant_id  uuid not null,
  article_id uuid not null,
  locale     text not null,
  audience   text not null,
  words      tsvector not null,
  primary key (tenant_id, article_id, locale)
);
comment on column knowledge.search.words is 'type: string';
create index search_by_words on knowledge.search using gin (tenant_id, locale, words)
  with (fastupdate = off);

create function knowledge.assert_tenant(tenant uuid) returns void language plpgsql as $$
begin
  if tenant is null or tenant is distinct from platform.tenant() then
    raise exception 'The search of another tenant' using errcode = 'insufficient_privilege';
  end if;
end $$;

-- How the words of a language are reduced to their stems; as they are for a language without a stemmer.
create function knowledge.words_of(locale text) returns regconfig
language sql immutable parallel safe as $$
  select case locale
    when 'en' then 'pg_catalog.english'::regconfig
    when 'fr' then 'pg_catalog.french'::regconfig
    when 'de' then 'pg_catalog.german'::regconfig
    when 'nl' then 'pg_catalog.dutch'::regconfig
    when 'es' then 'pg_catalog.spanish'::regconfig
    when 'it' then 'pg_catalog.italian'::regconfig
    when 'pt' then 'pg_catalog.portuguese'::regconfig
    else 'pg_catalog.simple'::regconfig
  end
$$;

-- Indexes what readers see of an article now, in each language; nothing of one that they do not see.
create function knowledge.index_article(tenant uuid, article uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform knowledge.assert_tenant(tenant);
  delete from knowledge.search where tenant_id = tenant and article_id = article;
  insert into knowledge.search (tenant_id, article_id, locale, audience, words)
  select version.tenant_id, version.article_id, version.locale, it.audience,
         setweight(to_tsvector(config, platform.search_key(version.title)), 'A')
         || setweight(to_tsvector(config, platform.search_key(coalesce(version.summary, ''))), 'B')
         || setweight(to_tsvector(config, platform.search_key(version.markdown)), 'C')
    from knowledge.texts as text
    join knowledge.versions as version
      on version.tenant_id = text.tenant_id and version.id = text.live_version_id
    join knowledge.articles as it on it.tenant_id = text.tenant_id and it.id = text.article_id
    cross join lateral knowledge.words_of(text.locale) as config
   where text.tenant_id = tenant and text.article_id = article and it.archived_at is null;
end $$;

-- The articles of a tenant that have all words of a search, best first. Without one, those that have a word of it or a
-- word that begins like it, unless the search excludes words or asks for a phrase.
create function knowledge.find_articles(
  tenant uuid, terms text, language text, audiences text[], most integer
) returns table (article_id uuid, rank real)
language plpgsql stable security definer
set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  config regconfig := knowledge.words_of(language);
  -- Punctuation separates words, as in the index; quotes and a minus before a word keep their meaning.
  asked  text := regexp_replace(
    lower(regexp_replace(normalize(left(terms, 200), NFKD), '[\u0300-\u036f]', '', 'g')),
    '[!#-,./:-@\[-`{-~]+|(?<=\S)-', ' ', 'g');
  wanted tsquery := websearch_to_tsquery(config, asked);
begin
  perform knowledge.assert_tenant(tenant);
  return query
    select found.article_id, ts_rank_cd(found.words, wanted)
      from knowledge.search as found
     where found.tenant_id = tenant and found.locale = language
       and found.audience = any(audiences) and found.words @@ wanted
     order by 2 desc, 1 limit most;
  if found or asked ~ '"|(^|\s)-' then
    return;
  end if;
  select string_agg(quote_literal(word) || ':*', ' | ')::tsquery into wanted
    from unnest(tsvector_to_array(to_tsvector(config, asked))) as word
   where length(word) > 2;
  return query
    select found.article_id, ts_rank_cd(found.words, wanted)
      from knowledge.search as found
     where found.tenant_id = tenant and found.locale = language
       and found.audience = any(audiences) and found.words @@ wanted
     order by 2 desc, 1 limit most;
end $$;
