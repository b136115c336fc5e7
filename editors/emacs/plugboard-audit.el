;;; plugboard-audit.el --- Every tool, and whether it asks first  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; One row per tool: state, risk and whether a call asks first.  Failed
;; servers stand on top.  From here you change what asks, restart servers
;; and walk through the tools whose risk is unknown.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'tabulated-list)
(require 'plugboard-hub)
(require 'plugboard-remedies)
(require 'plugboard-visible)

(declare-function gptel-tools "ext:gptel-transient")

(defconst plugboard-audit--buffer "*Plugboard Tools*")

(defconst plugboard-audit--failed
  '("failed" "needs-sign-in" "needs-input" "quarantined")
  "States of a server that needs somebody.")

(defvar plugboard-audit--servers nil "Servers with their tools, as the hub last told.")
(defvar plugboard-audit--grants nil "Grants, as the hub last told.")
(defvar plugboard-audit--turn 0 "Number of the reading that was begun last.")

(defvar plugboard-audit-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map tabulated-list-mode-map)
    (define-key map "g" #'plugboard-audit-refresh)
    (define-key map (kbd "RET") #'plugboard-audit-visit)
    (define-key map "r" #'plugboard-audit-restart)
    (define-key map "c" #'plugboard-audit-toggle-confirm)
    (define-key map "u" #'plugboard-review-unknown)
    map)
  "Keys of the audit buffer.")

(define-derived-mode plugboard-audit-mode tabulated-list-mode "Tools"
  "Mode of the buffer with all tools of the hub."
  (setq tabulated-list-format [("Server/tool" 36 nil) ("State" 14 nil) ("Risk" 12 nil)
                               ("Confirm" 9 nil) ("Description" 0 nil)]
        tabulated-list-padding 1)
  (tabulated-list-init-header))

;;;###autoload
(defun plugboard-list-tools ()
  "Show every tool of the hub, failed servers on top.
\\<plugboard-audit-mode-map>\\[plugboard-audit-refresh] reads again,
\\[plugboard-audit-visit] opens gptel's menu of tools or does a failed
server's next step, \\[plugboard-audit-restart] restarts the server,
\\[plugboard-audit-toggle-confirm] changes whether the tool asks first."
  (interactive)
  (with-current-buffer (get-buffer-create plugboard-audit--buffer)
    (unless (derived-mode-p 'plugboard-audit-mode) (plugboard-audit-mode))
    (pop-to-buffer (current-buffer)))
  (plugboard-audit-refresh))

(defun plugboard-audit-refresh (&optional then)
  "Read tools and grants again, then call THEN.
A later reading replaces an earlier one that is still under way, so that
tools and grants on the screen belong together."
  (interactive)
  (let ((turn (cl-incf plugboard-audit--turn)))
    (plugboard-hub-do
     "GET" "/v1/grants" nil
     (lambda (grants)
       (plugboard-hub-do
        "GET" "/v1/tools/audit" nil
        (lambda (value)
          (when (= turn plugboard-audit--turn)
            (setq plugboard-audit--grants (plugboard-each grants)
                  plugboard-audit--servers (plugboard-each (plist-get value :servers)))
            (plugboard-audit--print)
            (when (functionp then) (funcall then)))))))))

(defun plugboard-audit--print ()
  "Fill the buffer, if it is there."
  (when-let ((buffer (get-buffer plugboard-audit--buffer)))
    (with-current-buffer buffer
      (setq tabulated-list-entries (plugboard-audit--rows))
      (tabulated-list-print t)
      (plugboard-audit--note))))

(defun plugboard-audit--note ()
  "Put the privacy note above the rows."
  (remove-overlays (point-min) (point-max) 'plugboard t)
  (let ((overlay (make-overlay (point-min) (point-min))))
    (overlay-put overlay 'plugboard t)
    (overlay-put overlay 'before-string
                 (propertize
                  (concat "Results of tools become part of the chat; a saved conversation keeps them.\n"
                          "g refresh · RET open · r restart server · c confirm · u review unknown\n\n")
                  'face 'shadow))))

;;; Rows

(defun plugboard-audit--rows ()
  "Return all rows: failed servers, then tools by server and name."
  (let ((used (seq-filter (lambda (each) (plugboard-hub-enabled-p (plist-get each :server)))
                          plugboard-audit--servers)))
    (append
     (mapcar #'plugboard-audit--server-row (seq-filter #'plugboard-audit--failed-p used))
     (cl-loop for server in (sort (seq-remove #'plugboard-audit--failed-p used)
                                  (lambda (a b) (string< (plist-get a :server) (plist-get b :server))))
              append (mapcar (lambda (tool) (plugboard-audit--tool-row server tool))
                             (sort (plugboard-each (plist-get server :tools))
                                   (lambda (a b) (string< (plist-get a :name) (plist-get b :name)))))
              append (mapcar (lambda (tool) (plugboard-audit--withheld-row server tool))
                             (plugboard-each (plist-get server :withheld)))))))

(defun plugboard-audit--failed-p (server)
  "Return non-nil if SERVER needs somebody."
  (member (plist-get server :state) plugboard-audit--failed))

(defun plugboard-audit--server-row (server)
  "Return the row of SERVER, which has failed."
  (list (list :server (plist-get server :server) :next server)
        (vector (propertize (plist-get server :server) 'face 'warning)
                (propertize (upcase (plist-get server :state)) 'face 'warning)
                "-" "-"
                (let ((next (plugboard-remedy-text server)))
                  ;; The step before its reason, which may not fit.
                  (string-trim (concat (unless (string-empty-p next) (format "RET: %s · " next))
                                       (plugboard-visible-line (plugboard-get server :reason))))))))

(defun plugboard-audit--tool-row (server tool)
  "Return the row of TOOL of SERVER."
  (list (list :server (plist-get server :server) :tool tool)
        (vector (plugboard-visible-line (plist-get tool :ref))
                (if (plugboard-get tool :enabled) (plist-get server :state) "disabled")
                (plist-get tool :risk)
                (plugboard-audit--confirm tool)
                (plugboard-audit--about tool))))

(defun plugboard-audit--about (tool)
  "Return the first line of the description of TOOL."
  (plugboard-visible-line (car (split-string (or (plugboard-get tool :description) "") "\n" t))))

(defun plugboard-audit--withheld-row (server tool)
  "Return the row of TOOL of SERVER, which isn't offered."
  (list (list :server (plist-get server :server) :next tool)
        (vector (propertize (plugboard-visible-line (plist-get tool :ref)) 'face 'shadow) "withheld" "-" "-"
                (plugboard-visible-line (plugboard-get tool :reason)))))

(defun plugboard-audit--grant (tool)
  "Return the grant of TOOL, or nil."
  (seq-find (lambda (grant)
              (and (equal (plugboard-get grant :serverId) (plist-get tool :server))
                   (equal (plugboard-get grant :scope :kind) "tool")
                   (equal (plugboard-get grant :scope :tool) (plist-get tool :name))
                   (not (plugboard-get grant :stale))))
            plugboard-audit--grants))

(defun plugboard-audit--confirm (tool)
  "Return whether TOOL asks first, as text."
  (pcase (plist-get tool :confirm)
    ("allow" (if (plugboard-audit--grant tool) "granted" "no"))
    ("deny" "denied")
    (_ "YES")))

;;; Keys

(defun plugboard-audit--at-point ()
  "Return what stands at point: a plist with :server and :tool or :next."
  (or (tabulated-list-get-id) (user-error "Nothing here")))

(defun plugboard-audit-visit ()
  "Open gptel's menu of tools, or do the next step of a failed server."
  (interactive)
  (let ((row (plugboard-audit--at-point)))
    (cond ((plist-get row :next) (plugboard-remedy-run (plist-get row :next)))
          ((require 'gptel-transient nil t) (call-interactively #'gptel-tools))
          (t (message "%s" (plugboard-visible (plugboard-get row :tool :description)))))))

(defun plugboard-audit-restart ()
  "Restart the server at point."
  (interactive)
  (let ((server (plist-get (plugboard-audit--at-point) :server)))
    (plugboard-hub-do "POST" (plugboard-hub-path "servers" server "restart") nil
                      (lambda (_) (plugboard-audit-refresh)))))

(defun plugboard-audit-toggle-confirm ()
  "Change whether the tool at point asks first.
A tool that asks is granted; a grant is revoked; a tool that runs unasked
is treated as of unknown risk, so that it asks."
  (interactive)
  (let* ((tool (or (plist-get (plugboard-audit--at-point) :tool) (user-error "No tool here")))
         (ref (plist-get tool :ref))
         (grant (plugboard-audit--grant tool))
         (again (lambda (_) (plugboard-audit-refresh))))
    (cond
     (grant (plugboard-hub-do "DELETE" (plugboard-hub-path "grants" (plist-get grant :id)) nil again))
     ((equal (plist-get tool :confirm) "allow") (plugboard-audit-set-risk ref "unknown" again))
     ((equal (plist-get tool :riskFrom) "override") (plugboard-audit-set-risk ref nil again))
     ((or noninteractive (y-or-n-p (format "Always allow %s? " ref)))
      (plugboard-hub-do "POST" "/v1/grants" (list :tool ref) again)))))

(defun plugboard-audit-set-risk (ref risk then)
  "Say that the tool REF has RISK, or the hub's own with nil; then call THEN."
  (plugboard-hub-do "PUT" "/v1/tools/risk"
                    (append (list :ref ref) (and risk (list :risk risk))) then))

;;; Review

(defun plugboard-audit-unknown ()
  "Return the tools of used servers whose risk is unknown."
  (cl-loop for server in plugboard-audit--servers
           when (plugboard-hub-enabled-p (plist-get server :server))
           append (seq-filter (lambda (tool) (equal (plist-get tool :risk) "unknown"))
                              (plugboard-each (plist-get server :tools)))))

;;;###autoload
(defun plugboard-review-unknown ()
  "Walk through all tools of unknown risk and say what each may do."
  (interactive)
  (plugboard-audit-refresh
   (lambda () (run-at-time 0 nil #'plugboard-audit--review (plugboard-audit-unknown)))))

(defun plugboard-audit--review (tools)
  "Ask about each of TOOLS."
  (let ((count (length tools)) (set 0))
    (catch 'quit
      (dolist (tool tools)
        (let ((choice (read-char-choice
                       (format "%s: %s  [r]ead-only [w]rites [d]estructive [s]kip [q]uit "
                               (plist-get tool :ref)
                               (truncate-string-to-width (plugboard-audit--about tool) 60))
                       '(?r ?w ?d ?s ?q))))
          (when (eq choice ?q) (throw 'quit nil))
          (when-let ((risk (cdr (assq choice '((?r . "read") (?w . "write") (?d . "destructive"))))))
            (cl-incf set)
            (plugboard-audit-set-risk (plist-get tool :ref) risk #'ignore)))))
    (message "Plugboard: %d of %d tools reviewed" set count)
    (when (> set 0) (run-at-time 0.3 nil #'plugboard-audit-refresh))))

(provide 'plugboard-audit)
;;; plugboard-audit.el ends here
