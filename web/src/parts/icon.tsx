import type { ReactNode } from 'react';

/** Line drawings of 16 × 16, one path each. */
const PATHS = {
  mark: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM5.8 6.2 2 3M10.2 6.2 14 3M8 10.8V15',
  chat: 'M2 3h12v8H7l-3 3v-3H2z',
  plug: 'M5 1v4M11 1v4M3 5h10v3a5 5 0 0 1-10 0zM8 13v2',
  wand: 'M2 14 10 6M12 1v4M10 3h4M13 8v3M11.5 9.5h3',
  pulse: 'M1 8h3l2-5 4 10 2-5h3',
  key: 'M10 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM7 9l-5 5M4 12l2 2',
  gear: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.5 1.5M11.5 11.5 13 13M3 13l1.5-1.5M11.5 4.5 13 3',
  plus: 'M8 3v10M3 8h10',
  close: 'M3 3l10 10M13 3 3 13',
  search: 'M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2zM11 11l4 4',
  more: 'M3 7.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1zM8 7.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1zM13 7.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1z',
  down: 'M3 6l5 5 5-5',
  right: 'M6 3l5 5-5 5',
  check: 'M2 8l4 4 8-9',
  copy: 'M5 5h9v9H5zM11 5V2H2v9h3',
  retry: 'M13 4v4H9M13 8a5 5 0 1 0-1.5 3.5',
  stop: 'M4 4h8v8H4z',
  send: 'M2 8 14 2l-4 12-3-5z',
  edit: 'M2 14l1-4 8-8 3 3-8 8z',
  trash: 'M2 4h12M6 4V2h4v2M4 4l1 10h6l1-10',
  eye: 'M1 8s3-5 7-5 7 5 7 5-3 5-7 5-7-5-7-5zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  image: 'M2 3h12v10H2zM2 11l4-4 3 3 2-2 3 3',
  warn: 'M8 2 15 14H1zM8 6v4M8 12h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside words; it says nothing by itself. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
