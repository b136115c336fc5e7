import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import styles from './frame.module.css';

interface FaultBoundaryProps {
  /** Of what is shown instead; `quiet` for what a person did not ask for. */
  readonly look: 'place' | 'quiet';
  /** Another value gives what is inside another try: going elsewhere leaves the fault behind. */
  readonly of?: string;
  readonly children: ReactNode;
}

interface Held {
  readonly failed: boolean;
  readonly of: string | undefined;
}

/**
 * A part that cannot be drawn takes nothing else down. Mostly its script is gone: the hub was updated, or
 * stopped, while the page was open. React has no hook for it.
 */
export class FaultBoundary extends Component<FaultBoundaryProps, Held> {
  override state: Held = { failed: false, of: this.props.of };

  static getDerivedStateFromError(): Partial<Held> {
    return { failed: true };
  }

  static getDerivedStateFromProps({ of }: FaultBoundaryProps, held: Held): Held | null {
    return of === held.of ? null : { failed: false, of };
  }

  override render(): ReactNode {
    const { look, children } = this.props;
    if (!this.state.failed) return children;
    if (look === 'quiet') return null;
    return (
      <main className={styles['loading']} role="alert">
        <p>This part of the page couldn’t be loaded.</p>
        <Button look="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </main>
    );
  }
}
