import type { IconName } from '../parts/icon.tsx';

/** Something to go to or to do. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly group: 'Go to' | 'Do' | 'Servers' | 'Tools';
  readonly icon: IconName;
  /** Right of it, quietly. */
  readonly more?: string;
  readonly run: () => void;
}
