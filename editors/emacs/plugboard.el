;;; plugboard.el --- Every MCP server for gptel, confirmed and never blocked  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors

;; Author: Plugboard contributors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience, processes
;; URL: https://github.com/plugboard/plugboard
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A thin client of the Plugboard hub.  The hub runs MCP servers, keeps
;; their keys and decides which tool calls need your approval; Emacs holds
;; no secret, starts no server process and makes no decision.
;;
;; Turn on `plugboard-mode'.  When you open a gptel chat, the tools of all
;; servers are registered with gptel at once, from what the hub already
;; knows about them, and the servers start in the background.
;;
;; Files, in the order in which they build on each other:
;;
;;   plugboard-address.el    where the hub is, JSON
;;   plugboard-http.el       requests and streams
;;   plugboard-hub.el        servers and their states, from events
;;   plugboard-schema.el     arguments by schema
;;   plugboard-visible.el    nothing that servers say can hide
;;   plugboard-calls.el      one call, answered once
;;   plugboard-chats.el      which tools are active, and where
;;   plugboard-catalog.el    finding tools, and reading on
;;   plugboard-tools.el      registering with gptel
;;   plugboard-card.el       what you see before you agree
;;   plugboard-approvals.el  approve, deny, edit
;;   plugboard-questions.el  what servers ask
;;   plugboard-remedies.el   next steps as keys
;;   plugboard-servers.el    the server buffer
;;   plugboard-audit.el      the audit buffer
;;   plugboard-doctor.el     the doctor buffer
;;   plugboard-status.el     echo area, mode line, waiting
;;   plugboard-entry.el      other Emacs agents
;;   plugboard.el            options, commands and keys
;;
;; Privacy: results of tools become part of the chat.  Wherever you save a
;; conversation, by hand or automatically, what servers answered is saved
;; with it.

;;; Code:

(require 'plugboard-hub)
(require 'plugboard-calls)
(require 'plugboard-tools)
(require 'plugboard-approvals)
(require 'plugboard-questions)
(require 'plugboard-status)
(require 'plugboard-entry)

(autoload 'plugboard-hub "plugboard-servers" nil t)
(autoload 'plugboard-list-tools "plugboard-audit" nil t)
(autoload 'plugboard-review-unknown "plugboard-audit" nil t)
(autoload 'plugboard-doctor "plugboard-doctor" nil t)

(declare-function transient-define-prefix "ext:transient")
(declare-function which-key-add-keymap-based-replacements "ext:which-key")

;;; Options

(defcustom plugboard-start-on-entry-points '(gptel gptel-mode)
  "Commands that start your servers in the background.
Any other command leaves them asleep until a tool is called.  Commands of
gptel such as `gptel-send' or `gptel-rewrite' can be added, and your own."
  :type '(repeat symbol)
  :set (lambda (symbol value)
         (let ((old (and (boundp symbol) (symbol-value symbol))))
           (set-default symbol value)
           (when (bound-and-true-p plugboard-mode)
             (mapc (lambda (each) (advice-remove each #'plugboard--entered)) old)
             (mapc (lambda (each) (advice-add each :before #'plugboard--entered)) value))))
  :group 'plugboard)

(defcustom plugboard-keymap-prefix "C-; a C"
  "Keys under which `plugboard-command-map' is bound, or nil for none."
  :type '(choice (const :tag "None" nil) string)
  :group 'plugboard)

;;; Keys

(defvar plugboard-command-map
  (let ((map (make-sparse-keymap)))
    (define-key map "h" #'plugboard-hub)
    (define-key map "s" #'plugboard-status)
    (define-key map "l" #'plugboard-list-tools)
    (define-key map "r" #'plugboard-restart-failed)
    (define-key map "R" #'plugboard-restart-server)
    (define-key map "S" #'plugboard-stop-all)
    (define-key map "d" #'plugboard-doctor)
    (define-key map "w" #'plugboard-wait-until-ready)
    (define-key map "a" #'plugboard-approvals)
    (define-key map "q" #'plugboard-questions)
    (define-key map "u" #'plugboard-review-unknown)
    (define-key map "k" #'plugboard-cancel-calls)
    (define-key map "f" #'plugboard-follow-claude)
    (define-key map "?" #'plugboard-menu)
    map)
  "Keys of all commands, under `plugboard-keymap-prefix'.")

(defconst plugboard--labels
  '(("h" . "hub") ("s" . "status") ("l" . "list tools") ("r" . "restart failed")
    ("R" . "restart server") ("S" . "stop all") ("d" . "doctor") ("w" . "wait until ready")
    ("a" . "approvals") ("q" . "questions") ("u" . "review unknown") ("k" . "cancel calls")
    ("f" . "follow Claude Code") ("?" . "menu"))
  "Label of each key, for which-key.")

(defvar plugboard--bound nil "Keys that `plugboard-mode' has bound.")

(defun plugboard--bind-keys ()
  "Bind `plugboard-command-map', unless something else is bound there."
  (when plugboard-keymap-prefix
    (let ((keys (kbd plugboard-keymap-prefix)))
      (condition-case nil
          (unless (commandp (lookup-key global-map keys))
            (define-key global-map keys plugboard-command-map)
            (setq plugboard--bound keys))
        (error (message "Plugboard: %s can't be bound; set `plugboard-keymap-prefix'"
                        plugboard-keymap-prefix)))))
  (with-eval-after-load 'which-key (plugboard--label-keys)))

(defun plugboard--label-keys ()
  "Give which-key the label of each key."
  (when (fboundp 'which-key-add-keymap-based-replacements)
    (pcase-dolist (`(,key . ,label) plugboard--labels)
      (which-key-add-keymap-based-replacements plugboard-command-map key label))))

(defun plugboard--unbind-keys ()
  "Undo `plugboard--bind-keys'."
  (when plugboard--bound
    (define-key global-map plugboard--bound nil)
    (setq plugboard--bound nil)))

(defun plugboard-menu ()
  "Show all commands: as a transient where that is installed, else their keys."
  (interactive)
  (if (require 'transient nil t)
      (progn
        (unless (fboundp 'plugboard--transient) (plugboard--define-transient))
        (call-interactively 'plugboard--transient))
    (set-transient-map plugboard-command-map)
    (message "%s" (mapconcat (lambda (each) (format "%s %s" (car each) (cdr each)))
                             plugboard--labels " · "))))

(defun plugboard--define-transient ()
  "Define the transient menu.  Transient is loaded only for it."
  (eval `(transient-define-prefix plugboard--transient ()
           "Commands of Plugboard."
           [["Servers"
             ,@(plugboard--menu-rows '("h" "s" "w" "r" "R" "S" "f"))]
            ["Tools"
             ,@(plugboard--menu-rows '("l" "u" "k"))]
            ["Waiting and problems"
             ,@(plugboard--menu-rows '("a" "q" "d"))]])
        t))

(defun plugboard--menu-rows (keys)
  "Return rows of the transient menu for KEYS."
  (mapcar (lambda (key)
            (list key (cdr (assoc key plugboard--labels)) (lookup-key plugboard-command-map key)))
          keys))

;;; Commands

;;;###autoload
(define-minor-mode plugboard-mode
  "Offer the tools of the Plugboard hub in gptel.
The commands in `plugboard-start-on-entry-points' start your servers in
the background; opening a chat never waits for one."
  :global t
  :group 'plugboard
  :lighter (:eval (plugboard-status-lighter))
  (if plugboard-mode (plugboard--enable) (plugboard--disable)))

(defun plugboard--enable ()
  "Set up keys, entry points and listeners.  Contact nobody yet."
  (plugboard--bind-keys)
  (plugboard-calls-install)
  (plugboard-approvals-install)
  (plugboard-questions-install)
  (plugboard-status-install)
  (mapc (lambda (each) (advice-add each :before #'plugboard--entered))
        plugboard-start-on-entry-points)
  (advice-add 'gptel-mode :before #'plugboard--opening)
  (add-hook 'kill-emacs-hook #'plugboard--exit))

(defun plugboard--disable ()
  "Undo `plugboard--enable' and leave nothing open."
  (mapc (lambda (each) (advice-remove each #'plugboard--entered)) plugboard-start-on-entry-points)
  (advice-remove 'gptel-mode #'plugboard--opening)
  (remove-hook 'kill-emacs-hook #'plugboard--exit)
  (plugboard--exit)
  (plugboard-approvals-uninstall)
  (plugboard-questions-uninstall)
  (plugboard-status-uninstall)
  (plugboard-calls-uninstall)
  (plugboard--unbind-keys))

(defun plugboard--exit ()
  "Cancel each call, remove all tools and close every connection.
Servers belong to the hub: it stops those that nobody uses."
  (plugboard-calls-cancel)
  (plugboard-tools-deactivate)
  (plugboard-questions-detach)
  (plugboard-hub-disconnect)
  (plugboard-calls-forget-media))

(defun plugboard--entered (&rest _)
  "Start servers for an entry point; never fail, and never wait."
  (condition-case problem
      (if (file-remote-p default-directory)
          ;; A remote buffer's chat may use what runs here, and starts nothing.
          (when (plugboard-hub-open-p) (plugboard-tools-activate))
        (plugboard-ensure-started))
    (error (message "Plugboard: %s" (error-message-string problem)))))

(defun plugboard--opening (&rest _)
  "Keep the tools of a chat that is opened from its file; never fail.
Their servers are not started for it."
  (condition-case problem
      (unless (or (bound-and-true-p gptel-mode) (file-remote-p default-directory))
        (when (plugboard-tools-hold (plugboard-chats-saved-names))
          (plugboard-tools-activate)
          (plugboard-hub-connect)))
    (error (message "Plugboard: %s" (error-message-string problem)))))

;;;###autoload
(defun plugboard-ensure-started ()
  "Register the hub's tools and start the servers in the background.
Return at once; do nothing that was done already."
  (interactive)
  (plugboard-tools-activate)
  (add-hook 'plugboard-hub-open-hook #'plugboard--start-servers)
  (if (plugboard-hub-open-p) (plugboard--start-servers) (plugboard-hub-connect)))

(defun plugboard--start-servers ()
  "Ask the hub to start the servers for Emacs."
  (remove-hook 'plugboard-hub-open-hook #'plugboard--start-servers)
  (plugboard-hub-do "POST" "/v1/servers/ensure-started"
                    (unless (eq plugboard-enabled-servers t)
                      (list :ids (vconcat plugboard-enabled-servers)))
                    (lambda (_) (plugboard-hub-refresh))))

(defun plugboard-restart-failed ()
  "Restart every server that failed; leave the others alone."
  (interactive)
  (plugboard-hub-connect)
  (plugboard-hub-do "POST" "/v1/servers/restart-failed" nil
                    (lambda (names)
                      (plugboard-hub-refresh)
                      (if (seq-empty-p names)
                          (message "Plugboard: no server has failed")
                        (message "Plugboard: restarting %s" (string-join names ", "))))))

(defun plugboard-restart-server (name)
  "Restart the server NAME."
  (interactive (list (plugboard-status-read-server "Restart server: ")))
  (message "Plugboard: restarting %s…" name)
  (plugboard-hub-do "POST" (plugboard-hub-path "servers" name "restart") nil
                    (lambda (_)
                      (plugboard-hub-refresh)
                      (message "Plugboard: %s restarted" name))))

(defun plugboard-stop-all ()
  "Remove the hub's tools from gptel and stop every server."
  (interactive)
  (plugboard-calls-cancel)
  (plugboard-tools-deactivate)
  (plugboard-hub-do "POST" "/v1/servers/stop-all" nil
                    (lambda (names)
                      (plugboard-hub-refresh)
                      (message "Plugboard: stopped %d server(s); M-x plugboard-ensure-started starts them"
                               (length names)))))

(defun plugboard-cancel-calls ()
  "Cancel every tool call under way, at its server."
  (interactive)
  (message "Plugboard: canceled %d call(s)" (plugboard-calls-cancel)))

(defun plugboard-follow-claude ()
  "Use the servers of Claude Code, and follow its file.
The file ~/.claude.json stays their only source; the hub reads it."
  (interactive)
  (when (or noninteractive (y-or-n-p "Use the servers in ~/.claude.json and follow its changes? "))
    (plugboard-hub-do "POST" "/v1/imports" '(:clients ["claude-code"] :pick "all" :follow t)
                      (lambda (value)
                        (plugboard-hub-refresh)
                        (message "Plugboard: %d server(s) of Claude Code are followed"
                                 (length (plist-get value :imported)))))))

(provide 'plugboard)
;;; plugboard.el ends here
