import { brandColors, contrast } from '@moorage/brand-colors'
import type { CSSProperties } from 'react'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useLocale } from '../../../texts/index.tsx'
import { Card } from '../../../ui/index.ts'
import type { Shop } from './reads.ts'

type PreviewProps = {
  readonly color: string
  readonly name: string
  readonly logoUrl: string | null
  readonly pictures: Shop['pictures']
  readonly links: readonly string[]
  readonly supportAddress: string
}

/** The brand in both colour schemes, while it is edited. */
export function Preview({ color, name, logoUrl, pictures, links, supportAddress }: PreviewProps) {
  const { brand } = useAdminTexts()
  const locale = useLocale()
  const { light, dark } = brandColors(color)
  const ratio = (one: string, other: string) =>
    `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(contrast(one, other))}:1`
  const isWhite = light.on === '#ffffff'
  const iconUrl = pictures.faviconUrl ?? logoUrl
  return (
    <Card title={brand.preview}>
      <div className="stack">
        <Sample scheme="light" colors={light} {...{ name, logoUrl, iconUrl }} />
        <Sample
          scheme="dark"
          colors={dark}
          {...{ name, iconUrl }}
          logoUrl={logoUrl && (pictures.darkLogoUrl ?? logoUrl)}
        />
        <p className="sub cut">
          {[...links, supportAddress].filter((it) => it !== '').join(' · ')}
        </p>
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
  readonly iconUrl: string | null
}

/** A preview of the shop in the colours of one scheme. It is inert. */
function Sample({ scheme, colors, name, logoUrl, iconUrl }: SampleProps) {
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
          <span className="strong cut grow">{name}</span>
          {iconUrl ? <img src={iconUrl} alt="" width={16} height={16} /> : null}
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
