import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'

/** Mantine requires ten steps; the visible colours come from the CSS variables below. */
const steps = (soft: string, text: string, fill: string): MantineColorsTuple => [
  soft,
  soft,
  soft,
  text,
  text,
  text,
  fill,
  fill,
  fill,
  fill,
]

const field = { defaultProps: { size: 'sm' as const } }

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 7,
  colors: { brand: steps('var(--brand-soft)', 'var(--brand-text)', 'var(--brand)') },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--sans)', fontWeight: '600' },
  fontSizes: { xs: '12px', sm: '14px', md: '15px', lg: '17px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '22px', lg: '24px', xl: '28px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  // Mantine writes white on every filled button; a yellow brand needs black.
  variantColorResolver: (input) => {
    const found = defaultVariantColorsResolver(input)
    return input.variant === 'filled' && (input.color ?? 'brand') === 'brand'
      ? { ...found, color: 'var(--on-brand)', hoverColor: 'var(--on-brand)' }
      : found
  },
  // Plain objects, not Button.extend(…): that import would put every component into the first chunk.
  components: {
    Button: {
      defaultProps: { variant: 'filled', size: 'sm' },
      classNames: { root: 'btn', section: 'btn-section', label: 'btn-label' },
    },
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray', size: 32 },
      classNames: { root: 'icon-btn' },
    },
    TextInput: field,
    Select: {
      defaultProps: {
        size: 'sm',
        checkIconPosition: 'right',
        allowDeselect: false,
        // Options are rendered on opening: there are hundreds of time zones. Mantine scrolls the selected one
        // into view before the list has a position; with `absolute`, that scrolls the page to its top.
        comboboxProps: {
          shadow: 'none',
          offset: 4,
          keepMounted: false,
          floatingStrategy: 'fixed' as const,
        },
      },
    },
    Textarea: field,
    Checkbox: { defaultProps: { size: 'sm', iconColor: 'var(--on-brand)' } },
    Radio: field,
    Switch: { defaultProps: { size: 'sm', withThumbIndicator: false } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.4 },
        transitionProps: { transition: 'pop', duration: 140 },
      },
      classNames: {
        content: 'dialog',
        header: 'dialog-head',
        title: 'dialog-title',
        body: 'dialog-body',
      },
    },
    Drawer: {
      defaultProps: {
        position: 'right',
        size: 480,
        overlayProps: { backgroundOpacity: 0.32 },
        transitionProps: { duration: 150 },
      },
      classNames: {
        content: 'drawer',
        header: 'drawer-head',
        title: 'dialog-title',
        body: 'drawer-body',
      },
    },
    Menu: {
      defaultProps: {
        shadow: 'none',
        radius: 'md',
        offset: 4,
        withInitialFocusPlaceholder: false,
        transitionProps: { transition: 'pop', duration: 110 },
        position: 'bottom-end',
      },
      classNames: { dropdown: 'menu', item: 'menu-item', label: 'menu-label' },
    },
    Tooltip: {
      defaultProps: { openDelay: 350, radius: 'sm', transitionProps: { duration: 100 } },
      classNames: { tooltip: 'tip' },
    },
    SegmentedControl: {
      defaultProps: { size: 'xs', radius: 'md', transitionDuration: 120, withItemsBorders: false },
      classNames: { root: 'seg', indicator: 'seg-thumb', label: 'seg-label' },
    },
  },
})

/** The mapping of Mantine's colours to ours; every value has a contrast of 4.5:1 for text in both schemes. */
const shared = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-anchor': 'var(--brand-text)',
  '--mantine-color-error': 'var(--failed-text)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-contrast': 'var(--on-brand)',
  '--mantine-color-brand-filled': 'var(--brand)',
  '--mantine-color-brand-filled-hover': 'var(--brand-hover)',
  '--mantine-color-brand-contrast': 'var(--on-brand)',
  '--mantine-color-brand-text': 'var(--brand-text)',
  '--mantine-color-brand-light': 'var(--brand-soft)',
  '--mantine-color-brand-light-hover': 'var(--brand-soft)',
  '--mantine-color-brand-light-color': 'var(--brand-text)',
  '--mantine-color-brand-outline': 'var(--brand-line)',
  '--mantine-color-gray-light-color': 'var(--ink-2)',
  '--mantine-color-red-filled': 'light-dark(#c9282d, #d3383d)',
  '--mantine-color-red-filled-hover': 'light-dark(#b32025, #c22f34)',
  '--mantine-color-red-contrast': '#ffffff',
  '--mantine-color-red-light-color': 'var(--failed-text)',
  '--mantine-color-red-text': 'var(--failed-text)',
}
export const resolver: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared })
