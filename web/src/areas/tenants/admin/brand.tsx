import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { client } from '../../../api/client.ts'
import { base64Of } from '../../../api/files.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Card,
  Faulty,
  FileButton,
  I,
  LanguageSelect,
  Loaded,
  refused,
  Skeleton,
  Textarea,
  TextInput,
  told,
  useChange,
} from '../../../ui/index.ts'
import { editedShop, type Shop, shop } from './reads.ts'

const Preview = lazy(async () => ({ default: (await import('./brand-preview.tsx')).Preview }))

const DEFAULT_COLOR = '#3355ff'
const COLOR = /^#[0-9a-f]{6}$/i

/** Name, colour and logo, with a preview in both colour schemes. */
export function BrandForm() {
  return <Loaded query={useQuery(shop)}>{(it) => <Form shop={it} />}</Loaded>
}

function fieldsOf({ name, brand }: Shop) {
  return {
    name: brand.name ?? name,
    primaryColor: brand.primaryColor ?? '',
    locale: brand.locale ?? 'en',
    legalFooter: brand.legalFooter ?? '',
    supportAddress: brand.supportAddress ?? '',
    footerLinks: (brand.footerLinks ?? []).map(({ label, url }) => `${label} ${url}`).join('\n'),
    socialLinks: (brand.socialLinks ?? []).join('\n'),
  }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** One link per line: its name, then its URL. */
function linksIn(text: string) {
  return linesOf(text).map((line) => {
    const at = line.search(/\S+$/)
    const url = line.slice(at)
    return { label: line.slice(0, at).trim() || url.replace(/^https:\/\//, '').slice(0, 40), url }
  })
}

function Form({ shop: it }: { shop: Shop }) {
  const { brand } = useAdminTexts()
  const { common } = useTexts()
  const may = useMay()
  const form = useForm({
    name: 'brand',
    saved: fieldsOf(it),
    call: ({ name, primaryColor, locale, legalFooter, ...more }, intent) =>
      client.PATCH('/v1/admin/shop', {
        body: {
          brand: {
            ...{ name: orNull(name), primaryColor: orNull(primaryColor.toLowerCase()) },
            ...{ locale, legalFooter: orNull(legalFooter) },
            supportAddress: orNull(more.supportAddress),
            footerLinks: linksIn(more.footerLinks),
            socialLinks: linesOf(more.socialLinks),
          },
        },
        ...intent,
      }),
    edits: editedShop(fieldsOf),
    changes: [['shop'], ['meta'], ['admin', 'readiness']],
    done: () => told(brand.saved),
  })
  const { fields, set, text } = form
  const isColor = COLOR.test(fields.primaryColor)
  const color = isColor ? fields.primaryColor.toLowerCase() : DEFAULT_COLOR
  const isWrong = fields.primaryColor !== '' && !isColor
  return (
    <form className="grid split half" onSubmit={form.submit}>
      <Card title={brand.look}>
        <div className="stack">
          <Faulty fault={form.fault} />
          <TextInput {...text('name')} label={brand.name} autoComplete="organization" required />
          <div className="row bottom">
            <TextInput
              {...text('primaryColor')}
              className="grow"
              label={brand.color}
              description={brand.colorHint}
              error={isWrong ? brand.notAColor : form.errors.primaryColor}
              placeholder={DEFAULT_COLOR}
              autoComplete="off"
            />
            <input
              type="color"
              className="swatch"
              aria-label={brand.pick}
              value={color}
              onChange={(event) => set({ primaryColor: event.currentTarget.value })}
            />
          </div>
          {PICTURES.map((picture) => (
            <PictureField key={picture.kind} picture={picture} shop={it} />
          ))}
          <LanguageSelect
            label={brand.language}
            description={brand.languageHint}
            value={fields.locale}
            change={(locale) => set({ locale })}
          />
          <TextInput {...text('legalFooter')} label={brand.footer} autoComplete="off" />
          <TextInput
            {...text('supportAddress')}
            type="email"
            label={brand.supportAddress}
            description={brand.supportAddressHint}
            autoComplete="off"
          />
          <Textarea
            {...text('footerLinks')}
            label={brand.footerLinks}
            description={brand.footerLinksHint}
            autosize
            minRows={2}
          />
          <Textarea
            {...text('socialLinks')}
            label={brand.socialLinks}
            description={brand.socialLinksHint}
            autosize
            minRows={2}
          />
          {may('shop:write') ? (
            <div className="row">
              <Button type="submit" loading={form.isSaving} disabled={isWrong}>
                {common.save}
              </Button>
              {form.isChanged ? (
                <Button variant="default" onClick={form.reset}>
                  {common.cancel}
                </Button>
              ) : null}
            </div>
          ) : null}
        </div>
      </Card>
      <Suspense fallback={<Skeleton height={360} />}>
        <Preview
          {...{ color, name: fields.name, pictures: it.pictures }}
          logoUrl={it.pictures.logoUrl ?? it.brand.logoUrl}
          links={[
            ...linksIn(fields.footerLinks).map(({ label }) => label),
            ...linesOf(fields.socialLinks),
          ]}
          supportAddress={fields.supportAddress}
        />
      </Suspense>
    </form>
  )
}

const MAX_LOGO_BYTES = 256 * 1024

/** The pictures of a brand: where each is uploaded, and which field of the shop says that it is there. */
const PICTURES = [
  { kind: 'logo', field: 'logoUrl' },
  { kind: 'dark-logo', field: 'darkLogoUrl' },
  { kind: 'favicon', field: 'faviconUrl' },
] as const

type Picture = (typeof PICTURES)[number]

function PictureField({ picture: { kind, field }, shop: it }: { picture: Picture; shop: Shop }) {
  const { brand } = useAdminTexts()
  const { common } = useTexts()
  const may = useMay()
  const texts = brand.pictures[kind]
  const options = {
    changes: [['shop'], ['meta']],
    done: () => told(texts.saved),
  }
  const upload = useChange(
    (image: string) => client.PUT(`/v1/admin/shop/${kind}`, { body: { image } }),
    options,
  )
  const remove = useChange((_: null) => client.DELETE(`/v1/admin/shop/${kind}`), options)
  const chosen = async (image: File) => {
    if (image.size > MAX_LOGO_BYTES) return refused(common.refused, brand.logoTooLarge)
    upload.mutate(await base64Of(image))
  }
  if (!may('shop:write')) return null
  return (
    <div className="stack s8">
      <div>
        <span className="legend-label">{texts.label}</span>
        <span className="sub block">{texts.hint}</span>
      </div>
      <div className="row wrap">
        <FileButton
          variant="default"
          leftSection={<I.Upload size={16} aria-hidden />}
          label={texts.label}
          accept="image/png,image/jpeg"
          choose={(image) => void chosen(image)}
          loading={upload.isPending}
        >
          {texts.upload}
        </FileButton>
        {it.pictures[field] ? (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate(null)}>
            {texts.remove}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
