import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './base.css';
import { Door } from './frame/door.tsx';
import { showTheme } from './settings/theme.ts';

showTheme();
const root = document.querySelector('#root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Door />
  </StrictMode>,
);
