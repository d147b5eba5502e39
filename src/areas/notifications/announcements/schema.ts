import { type Static, Type } from 'typebox'
import { LOCALES } from '#lib/languages.ts'
import { Body, Id, Line, Named, Nullable, OneOf, Resource, Text, Timestamp } from '#lib/schema.ts'

const Message = Body({ title: Line(150), body: Text(5000) }, 'AnnouncementText')

/** The text by language: in at least one of the languages we support. */
const Texts = Type.Unsafe<Readonly<Record<string, Static<typeof Message>>>>({
  title: 'AnnouncementByLanguage',
  type: 'object',
  properties: Object.fromEntries(LOCALES.map((locale) => [locale, Message])),
  additionalProperties: false,
  minProperties: 1,
  description:
    'By language. Readers of other languages get that of the shop, else English, else the first one',
})

const ProductIds = Type.Array(Id, { maxItems: 50, uniqueItems: true })

const Path = Type.String({
  // Browsers read a backslash as a slash: `/\host` is a URL of another host.
  pattern: '^/[^\\s/\\\\][^\\s\\\\]*$',
  maxLength: 200,
  description: 'A path of the shop',
})

const AnnouncementStatus = Named(
  'AnnouncementStatus',
  OneOf(['draft', 'scheduled', 'published'], 'Only staff see one that is not published'),
)
export type AnnouncementStatus = Static<typeof AnnouncementStatus>

export const NewAnnouncement = Body({
  texts: Texts,
  productIds: Type.Optional({ ...ProductIds, default: [] }),
  mailed: Type.Optional(Type.Boolean({ default: false })),
  public: Type.Optional(Type.Boolean({ default: false })),
  link: Type.Optional(Path),
  publishAt: Type.Optional(
    Nullable({
      ...Timestamp,
      description:
        'When to publish it; null: it remains a draft. It is published at once without this field',
    }),
  ),
})
export type NewAnnouncement = Static<typeof NewAnnouncement>

export const AnnouncementChange = Body({
  texts: Type.Optional(Texts),
  productIds: Type.Optional(ProductIds),
  mailed: Type.Optional(Type.Boolean()),
  public: Type.Optional(Type.Boolean()),
  link: Type.Optional(Nullable(Path)),
  publishAt: Type.Optional(
    Nullable({ ...Timestamp, description: 'When to publish it; null: it is a draft' }),
  ),
})
export type AnnouncementChange = Static<typeof AnnouncementChange>

export const Announcement = Resource('Announcement', {
  id: Id,
  status: AnnouncementStatus,
  texts: Texts,
  productIds: Type.Array(Id, {
    description: 'Products whose customers are the recipients; empty: all customers',
  }),
  mailed: Type.Boolean({
    description: 'Whether it is mailed too, to customers who agreed to receive news',
  }),
  public: Type.Boolean({ description: 'Whether it is in the public news of the shop' }),
  link: Nullable(Type.String()),
  createdAt: Timestamp,
  publishAt: Nullable({ ...Timestamp, description: 'When it will be published' }),
  publishedAt: Nullable(Timestamp),
  told: Type.Integer({ description: 'How many people it has reached so far' }),
  finishedAt: Nullable(Timestamp),
})

export const News = Resource('News', {
  id: Id,
  language: Type.String(),
  title: Type.String(),
  body: Type.String(),
  link: Nullable(Type.String({ description: 'A path of the shop' })),
  createdAt: Timestamp,
  publishedAt: Timestamp,
})
