import { brandColors, contrast } from '@moorage/brand-colors'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { client } from '../../../api/client.ts'
import { base64Of } from '../../../api/files.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useLocale, useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Card,
  Faulty,
  FileButton,
  I,
  LanguageSelect,
  Loaded,
  refused,
  TextInput,
  told,
  useChange,
} from '../../../ui/index.ts'
import { editedShop, type Shop, shop } from './reads.ts'

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
  }
}

function Form({ shop: it }: { shop: Shop }) {
  const { brand } = useAdminTexts()
  const { common } = useTexts()
  const may = useMay()
  const form = useForm({
    name: 'brand',
    saved: fieldsOf(it),
    call: ({ name, primaryColor, locale, legalFooter }, intent) =>
      client.PATCH('/v1/admin/shop', {
        body: {
          brand: {
            ...{ name: orNull(name), primaryColor: orNull(primaryColor.toLowerCase()) },
            ...{ locale, legalFooter: orNull(legalFooter) },
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
          <LogoField shop={it} />
          <LanguageSelect
            label={brand.language}
            description={brand.languageHint}
            value={fields.locale}
            change={(locale) => set({ locale })}
          />
          <TextInput {...text('legalFooter')} label={brand.footer} autoComplete="off" />
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
      <Preview color={color} name={fields.name} logoUrl={it.brand.logoUrl} />
    </form>
  )
}

type PreviewProps = {
  readonly color: string
  readonly name: string
  readonly logoUrl: string | null
}

function Preview({ color, name, logoUrl }: PreviewProps) {
  const { brand } = useAdminTexts()
  const locale = useLocale()
  const { light, dark } = brandColors(color)
  const ratio = (one: string, other: string) =>
    `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(contrast(one, other))}:1`
  const isWhite = light.on === '#ffffff'
  return (
    <Card title={brand.preview}>
      <div className="stack">
        <Sample scheme="light" colors={light} name={name} logoUrl={logoUrl} />
        <Sample scheme="dark" colors={dark} name={name} logoUrl={logoUrl} />
        <ul className="sub stack s4" aria-live="polite">
          <li>
            {light.fill === color
              ? brand.contrast.exact
              : brand.contrast.adjusted(color, light.fill)}
          </li>
          <li>
            {isWhite
              ? brand.contrast.white(ratio(light.fill, light.on))
              : brand.contrast.black(ratio(light.fill, light.on))}
          </li>
          <li>{brand.contrast.links(ratio(light.text, '#ffffff'))}</li>
        </ul>
      </div>
    </Card>
  )
}

type SampleProps = {
  readonly scheme: 'light' | 'dark'
  readonly colors: ReturnType<typeof brandColors>['light']
  readonly name: string
  readonly logoUrl: string | null
}

/** A preview of the shop in the colours of one scheme. It is inert. */
function Sample({ scheme, colors, name, logoUrl }: SampleProps) {
  const { brand } = useAdminTexts()
  const style = {
    ...{ '--brand': colors.fill, '--on-brand': colors.on, '--brand-text': colors.text },
    ...{ '--brand-line': colors.line, '--brand-soft': colors.soft },
  } as CSSProperties
  return (
    <figure
      className={`brand-sample ${scheme}`}
      style={style}
      role="img"
      aria-label={brand[scheme]}
    >
      <div aria-hidden className="stack s12">
        <div className="row">
          {logoUrl ? (
            <img src={logoUrl} alt="" height={24} />
          ) : (
            <span className="sign">{[...name][0]?.toUpperCase()}</span>
          )}
          <span className="strong cut">{name}</span>
        </div>
        <div className="row wrap gap12">
          <span className="sample-button">{brand.sample.button}</span>
          <span className="sample-link">{brand.sample.link}</span>
        </div>
        <div className="sample-chosen">
          <span className="strong">{brand.sample.chosen}</span>
        </div>
      </div>
    </figure>
  )
}

const MAX_LOGO_BYTES = 256 * 1024

function LogoField({ shop: it }: { shop: Shop }) {
  const { brand } = useAdminTexts()
  const { common } = useTexts()
  const may = useMay()
  const options = {
    changes: [['shop']],
    done: () => told(brand.logoSaved),
  }
  const upload = useChange(
    (image: string) => client.PUT('/v1/admin/shop/logo', { body: { image } }),
    options,
  )
  const remove = useChange((_: null) => client.DELETE('/v1/admin/shop/logo'), options)
  const chosen = async (image: File) => {
    if (image.size > MAX_LOGO_BYTES) return refused(common.refused, brand.logoTooLarge)
    upload.mutate(await base64Of(image))
  }
  if (!may('shop:write')) return null
  return (
    <div className="stack s8">
      <span className="legend-label">{brand.logo}</span>
      <span className="sub">{brand.logoHint}</span>
      <div className="row wrap">
        <FileButton
          variant="default"
          leftSection={<I.Upload size={16} aria-hidden />}
          label={brand.logo}
          accept="image/png,image/jpeg"
          choose={(image) => void chosen(image)}
          loading={upload.isPending}
        >
          {brand.upload}
        </FileButton>
        {it.brand.logoUrl ? (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate(null)}>
            {brand.removeLogo}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
