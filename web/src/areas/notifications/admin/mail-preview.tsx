import { useState } from 'react'
import { nonce } from '../../../api/boot.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { SegmentedControl, useScheme } from '../../../ui/index.ts'
import { mailDocument } from './mail-document.ts'

const FORMS = ['html', 'text'] as const
const WIDTHS = ['wide', 'phone'] as const
const SCHEMES = ['light', 'dark'] as const

type MailProps = {
  readonly html: string
  readonly text: string
  /** The language of the mail, if it is known. */
  readonly lang?: string
}

/** A mail as mail programs show it: as HTML, wide or on a phone, light or dark, and as text. */
export function MailPreview({ html, text, lang }: MailProps) {
  const { mails } = useAdminTexts()
  const { isDark } = useScheme()
  const [form, setForm] = useState<(typeof FORMS)[number]>('html')
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>(fitting)
  const [scheme, setScheme] = useState<(typeof SCHEMES)[number]>(isDark ? 'dark' : 'light')
  return (
    <div className="stack s12">
      <div className="row wrap">
        <Switch
          {...{ label: mails.formHead, names: mails.forms, options: FORMS }}
          {...{ value: form, set: setForm }}
        />
        {form === 'html' ? (
          <>
            <Switch
              {...{ label: mails.widthHead, names: mails.widths, options: WIDTHS }}
              {...{ value: width, set: setWidth }}
            />
            <Switch
              {...{ label: mails.schemeHead, names: mails.schemes, options: SCHEMES }}
              {...{ value: scheme, set: setScheme }}
            />
          </>
        ) : null}
      </div>
      {form === 'html' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it sideways
        <section className="mail-stage" tabIndex={0} aria-label={mails.forms.html}>
          {/* The sandbox allows nothing: no script runs in the frame, and it does not reach this page. */}
          <iframe
            className={`mail-frame ${width}`}
            title={mails.preview}
            sandbox=""
            srcDoc={mailDocument(html, { scheme, nonce })}
          />
        </section>
      ) : (
        <div className="code mail-text" {...(lang && { lang })}>
          {text}
        </div>
      )}
    </div>
  )
}

/** A wide mail does not fit on a phone. */
const fitting = () => (matchMedia('(max-width: 759px)').matches ? 'phone' : 'wide')

type SwitchProps<Option extends string> = {
  readonly label: string
  readonly options: readonly Option[]
  readonly names: Readonly<Record<Option, string>>
  readonly value: Option
  readonly set: (option: Option) => void
}

function Switch<Option extends string>(props: SwitchProps<Option>) {
  const { label, options, names, value, set } = props
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={value}
      data={options.map((option) => ({ value: option, label: names[option] }))}
      onChange={(chosen) => {
        const option = options.find((it) => it === chosen)
        if (option) set(option)
      }}
    />
  )
}
