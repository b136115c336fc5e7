;;; plugboard-remedies.el --- Next steps as keys  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The hub says what to do next as data.  Here each such remedy becomes a
;; label and a function; buffers show the label and run it by a key.  What
;; only a person can do outside Emacs is shown as the words to type.

;;; Code:

(require 'subr-x)
(require 'plugboard-http)
(require 'plugboard-hub)
(require 'plugboard-visible)

(declare-function plugboard-doctor "plugboard-doctor")
(declare-function plugboard-approvals "plugboard-approvals")
(declare-function plugboard-list-tools "plugboard-audit")

(defun plugboard-remedy-label (remedy)
  "Return a short label for REMEDY, or nil if nothing here can do it."
  (let ((server (plugboard-get remedy :server)))
    (pcase (plugboard-get remedy :do)
      ("restart" (format "Restart %s" server))
      ("enable" (format "Enable %s" server))
      ("trust" (format "Trust %s" server))
      ((or "sign-in" "give-client-id") (format "Sign in to %s" server))
      ("open-address" (format "Open the page of %s" server))
      ("set-secret" (format "Give %s" (plugboard-get remedy :name)))
      ("install-package" (format "Install %s" server))
      ("edit-server" (and (plugboard-get remedy :file)
                          (format "Edit %s" (file-name-nondirectory (plugboard-get remedy :file)))))
      ("show-logs" (format "Show the log of %s" server))
      ("check" (if server (format "Check %s" server) "Run the doctor"))
      ("approve" "Show approvals")
      ((or "review-tools" "list-tools" "approve-tools") "Review tools")
      ("enable-tool" (format "Enable %s" (plugboard-get remedy :tool)))
      ("grant" (format "Always allow %s" (plugboard-get remedy :tool)))
      ("start-hub" "Start the hub")
      ("open-page" "Open the page")
      ("install" (format "Get %s" (plugboard-get remedy :program))))))

(defun plugboard-remedy-text (holder)
  "Return the next step of HOLDER, a plist with :remedy and :next, as text."
  (or (plugboard-remedy-label (plugboard-get holder :remedy))
      (plugboard-get holder :next)
      ""))

(defun plugboard-remedy-run (holder)
  "Carry out the remedy of HOLDER, a plist with :remedy and :next."
  (let* ((remedy (plugboard-get holder :remedy))
         (server (plugboard-get remedy :server))
         (file (plugboard-get remedy :file)))
    (pcase (plugboard-get remedy :do)
      ((and (or "restart" "enable" "trust") action)
       (plugboard-remedies--post server action))
      ("sign-in" (plugboard-remedies--sign-in server))
      ("give-client-id"
       (plugboard-remedies--sign-in
        server :clientId (read-string (format "Id of the client that you registered at %s: " server))))
      ("open-address" (browse-url (plugboard-get remedy :url)))
      ("set-secret" (plugboard-remedies--give (plugboard-get remedy :name) server))
      ("install-package" (plugboard-remedies--post server "install"))
      ((and "edit-server" (guard file)) (find-file-other-window file))
      ("show-logs" (plugboard-show-log server))
      ("check" (plugboard-doctor))
      ("approve" (plugboard-approvals))
      ((or "review-tools" "list-tools" "approve-tools") (plugboard-list-tools))
      ("enable-tool" (plugboard-hub-do "PUT" "/v1/tools/enabled"
                                       (list :ref (plugboard-get remedy :tool) :enabled t)))
      ("grant" (when (y-or-n-p (format "Always allow %s? " (plugboard-get remedy :tool)))
                 (plugboard-hub-do "POST" "/v1/grants" (list :tool (plugboard-get remedy :tool)))))
      ("start-hub" (plugboard-hub-connect))
      ("open-page" (plugboard-hub-do "POST" "/v1/page/link" nil
                                     (lambda (value) (browse-url (plist-get value :url)))))
      ("install" (browse-url (plugboard-get remedy :url)))
      ("say" (message "Plugboard: %s" (plugboard-get remedy :text)))
      (_ (let ((next (plugboard-get holder :next)))
           (if next
               (progn (kill-new next) (message "Plugboard: %s  (copied)" next))
             (message "Plugboard: nothing to do here")))))))

(defun plugboard-remedies--post (server action)
  "Ask the hub for ACTION on SERVER."
  (plugboard-hub-do "POST" (plugboard-hub-path "servers" server action) nil
                    (lambda (_)
                      (plugboard-hub-refresh)
                      (message "Plugboard: %s: done" server))))

(defun plugboard-remedies--give (name server)
  "Ask for the secret NAME, give it to the hub, and restart SERVER if there is one.
Nothing of it stays in Emacs."
  (let ((value (read-passwd (format "%s (goes into the hub's vault): " name))))
    (unwind-protect
        (plugboard-hub-do "PUT" "/v1/secrets" (list :name name :value value)
                          (lambda (_)
                            (if server (plugboard-remedies--post server "restart")
                              (message "Plugboard: %s is in the vault" name))))
      (clear-string value))))

(defun plugboard-remedies--sign-in (server &rest more)
  "Sign in to SERVER in the browser, through the hub.
MORE are fields of that request."
  (message "Plugboard: signing in to %s…" server)
  (plugboard-http-request
   "POST" "/v1/accounts/sign-in" :streams t :body (append (list :server server) more)
   :on-event (lambda (_name value)
               (when-let ((url (plugboard-get value :address))) (browse-url url)))
   :on-done (lambda (_value problem)
              (plugboard-hub-refresh)
              (message "Plugboard: %s" (if problem (plugboard-hub-error-text problem)
                                         (format "signed in to %s" server))))))

(defun plugboard-show-log (server)
  "Show what SERVER wrote to its log."
  (interactive (list (completing-read "Log of server: "
                                      (mapcar (lambda (each) (plist-get each :id))
                                              (plugboard-hub-all-servers)))))
  (plugboard-hub-do
   "GET" (plugboard-hub-path "servers" server "logs") nil
   (lambda (value)
     (with-current-buffer (get-buffer-create (format "*Plugboard Log: %s*" server))
       (special-mode)
       (let ((inhibit-read-only t))
         (erase-buffer)
         (insert (mapconcat #'plugboard-visible (plugboard-each (plist-get value :stderr)) "\n") "\n"))
       (display-buffer (current-buffer))))))

(provide 'plugboard-remedies)
;;; plugboard-remedies.el ends here
