import type { ReactNode } from 'react';
import { About } from './about.tsx';
import { Appearance } from './appearance.tsx';
import { BackupPart } from './backup.tsx';
import { ConnectApps } from './connect-apps.tsx';
import { DoctorPart } from './doctor.tsx';
import { Hosts } from './hosts.tsx';
import { Models } from './models.tsx';
import { Profiles } from './profiles.tsx';
import { ReadOnlyPart } from './read-only.tsx';
import { Registries } from './registries.tsx';
import { RetentionPart } from './retention.tsx';
import { VaultPart } from './vault.tsx';

export const PARTS = [
  { id: 'models', label: 'Models', Panel: Models },
  { id: 'profiles', label: 'Profiles', Panel: Profiles },
  { id: 'read-only', label: 'Read-only mode', Panel: ReadOnlyPart },
  { id: 'apps', label: 'Connect other apps', Panel: ConnectApps },
  { id: 'hosts', label: 'Hosts', Panel: Hosts },
  { id: 'registries', label: 'Registries', Panel: Registries },
  { id: 'retention', label: 'Retention', Panel: RetentionPart },
  { id: 'vault', label: 'Vault', Panel: VaultPart },
  { id: 'backup', label: 'Backup', Panel: BackupPart },
  { id: 'appearance', label: 'Appearance', Panel: Appearance },
  { id: 'doctor', label: 'Doctor', Panel: DoctorPart },
  { id: 'about', label: 'About', Panel: About },
] as const satisfies readonly {
  readonly id: string;
  readonly label: string;
  readonly Panel: () => ReactNode;
}[];
