;;; plugboard-status.el --- How things stand, in one line  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The one-line summary for the echo area, the mode line, and the one
;; command that may wait.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'plugboard-http)
(require 'plugboard-hub)
(require 'plugboard-tools)
(require 'plugboard-approvals)

(defcustom plugboard-mode-line t
  "Whether the mode line shows how many servers are ready and what waits."
  :type 'boolean
  :group 'plugboard)

(defcustom plugboard-startup-timeout 30
  "Seconds that `plugboard-wait-until-ready' waits at most."
  :type 'number
  :group 'plugboard)

(defvar plugboard-status--last 'idle "Overall state that was last told.")
(defvar plugboard-status--timer nil "Timer of the next look at whether all is at rest.")
(defconst plugboard-status--pause-seconds 0.5 "Pause before a new state is told.")

(defun plugboard-status-install ()
  "Show each new overall state in the echo area."
  (setq plugboard-status--last 'idle)
  (add-hook 'plugboard-hub-change-hook #'plugboard-status--changed)
  (add-hook 'plugboard-approvals-change-hook #'force-mode-line-update))

(defun plugboard-status-uninstall ()
  "Undo `plugboard-status-install'."
  (when plugboard-status--timer (cancel-timer plugboard-status--timer))
  (setq plugboard-status--timer nil)
  (remove-hook 'plugboard-hub-change-hook #'plugboard-status--changed)
  (remove-hook 'plugboard-approvals-change-hook #'force-mode-line-update))

(defun plugboard-status--changed ()
  "Show the state in the mode line, and tell it once all is at rest."
  (force-mode-line-update t)
  (unless (or plugboard-status--timer (eq (plugboard-hub-overall) plugboard-status--last))
    (setq plugboard-status--timer
          (run-at-time plugboard-status--pause-seconds nil #'plugboard-status--tell))))

(defun plugboard-status--tell ()
  "Tell the overall state, unless it was told or tools are still being registered."
  (setq plugboard-status--timer nil)
  (let ((overall (plugboard-hub-overall)))
    (cond
     ((eq overall plugboard-status--last))
     ((plugboard-tools-busy-p) (plugboard-status--changed))
     (t (when (and (memq overall '(partial ready failed)) (not (active-minibuffer-window)))
          (message "%s" (plugboard-status-text)))
        (setq plugboard-status--last overall)))))

;;;###autoload
(defun plugboard-status ()
  "Show how the servers stand, in the echo area."
  (interactive)
  (message "%s" (plugboard-status-text)))

(defun plugboard-status-text ()
  "Return how the servers stand, as one line."
  (let* ((all (length (plugboard-hub-servers)))
         (live (length (plugboard-hub-live)))
         (failed (plugboard-hub-failed))
         (tools (plugboard-tools-count))
         (waiting (length (plugboard-approvals-waiting))))
    (concat
     "MCP: "
     (if (not (plugboard-hub-open-p))
         (if (plugboard-hub-problem)
             (format "hub not connected: %s" (plugboard-hub-problem))
           "not started (opening a gptel chat starts it)")
       (pcase (plugboard-hub-overall)
         ('idle (if (zerop all) "no servers (plug add NAME adds one)"
                  (format "%d asleep, %d tools registered; servers start on first use" all tools)))
         ('starting (format "starting (%d/%d ready)…" live all))
         ('partial (format "%d/%d ready (failed: %s), %d tools registered" live all
                           (string-join failed ", ") tools))
         ('ready (format "%d/%d ready, %d tools registered" live all tools))
         ('failed (format "all %d servers failed; %s finds out why" (length failed)
                          (substitute-command-keys "\\[plugboard-doctor]")))))
     (if (zerop waiting) "" (format " · %d waiting for approval" waiting)))))

(defun plugboard-status-lighter ()
  "Return the mode line's part: ready servers, failures and approvals."
  (if (not (and plugboard-mode-line (plugboard-hub-open-p)))
      " Plug"
    (let ((failed (length (plugboard-hub-failed)))
          (waiting (length (plugboard-approvals-waiting))))
      (concat (format " Plug:%d" (length (plugboard-hub-live)))
              (if (zerop failed) "" (propertize (format "!%d" failed) 'face 'warning))
              (if (zerop waiting) "" (propertize (format "?%d" waiting) 'face 'warning))))))

(defun plugboard-status-read-server (prompt)
  "Ask with PROMPT for the name of a server."
  (completing-read prompt (mapcar (lambda (each) (plist-get each :id)) (plugboard-hub-all-servers))
                   nil t))

;;;###autoload
(defun plugboard-wait-until-ready (&optional seconds)
  "Wait until every server is ready or has failed, for SECONDS at most.
SECONDS defaults to `plugboard-startup-timeout'.  Show a countdown, stop
at \\[keyboard-quit], and return the overall state.  This is the only
command that waits."
  (interactive)
  (let* ((limit (or seconds plugboard-startup-timeout))
         (end (+ (float-time) limit))
         (told nil) (done nil) request)
    (plugboard-hub-connect)
    (unwind-protect
        (while (and (not done) (< (float-time) end))
          (when (and (null request) (plugboard-hub-open-p))
            (setq request
                  (plugboard-http-request
                   "POST" "/v1/servers/wait" :streams t
                   :body (append (list :timeoutMs (max 1 (floor (* 1000 (- end (float-time))))))
                                 (unless (eq plugboard-enabled-servers t)
                                   (list :ids (vconcat plugboard-enabled-servers))))
                   :on-done (lambda (&rest _) (plugboard-hub-refresh (lambda () (setq done t)))))))
          (let ((left (ceiling (- end (float-time)))))
            (unless (equal left told)
              (setq told left)
              (let ((message-log-max nil)) ; a countdown is nothing to keep
                (message "MCP: %d/%d ready, waiting %d s…" (length (plugboard-hub-live))
                         (length (plugboard-hub-servers)) left))))
          (accept-process-output nil 0.1))
      (plugboard-http-cancel request))
    (plugboard-status)
    (plugboard-hub-overall)))

(provide 'plugboard-status)
;;; plugboard-status.el ends here
