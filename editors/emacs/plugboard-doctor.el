;;; plugboard-doctor.el --- Find out what is wrong  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The hub's doctor follows each server from cause to effect.  Without a
;; prefix argument nothing is started, called or changed; with one, each
;; server is started and asked for one safe read.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'plugboard-http)
(require 'plugboard-hub)
(require 'plugboard-remedies)
(require 'plugboard-visible)

(defconst plugboard-doctor--buffer "*Plugboard Doctor*")

(defvar plugboard-doctor--rows nil "Rows of the last examination, oldest first.")
(defvar plugboard-doctor--live nil "Whether the last examination was live.")
(defvar plugboard-doctor--running 0 "Number of examinations under way.")
(defvar plugboard-doctor-done-hook nil "Hook run when an examination has ended.")

(defvar plugboard-doctor-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map "c" #'plugboard-doctor-copy)
    (define-key map "r" #'plugboard-doctor-rerun)
    (define-key map (kbd "RET") #'plugboard-doctor-fix)
    map)
  "Keys of the doctor buffer.")

(define-derived-mode plugboard-doctor-mode special-mode "Doctor"
  "Mode of the buffer with what the doctor found."
  ;; Continued lines begin below what was found.
  (setq word-wrap t wrap-prefix (make-string 36 ?\s)))

;;;###autoload
(defun plugboard-doctor (&optional live)
  "Look for what is wrong; with LIVE, a prefix argument, also try each server.
\\<plugboard-doctor-mode-map>\\[plugboard-doctor-copy] copies a summary,
\\[plugboard-doctor-rerun] runs the failed checks again,
\\[plugboard-doctor-fix] does the next step of the row at point."
  (interactive "P")
  (setq plugboard-doctor--rows (plugboard-doctor--own-rows) plugboard-doctor--live (and live t))
  (pop-to-buffer (plugboard-doctor--print))
  (plugboard-doctor--run nil))

(defun plugboard-doctor--own-rows ()
  "Return rows about this Emacs: its programs, and servers it doesn't use."
  (append
   (list (if (or plugboard-url (executable-find (car plugboard-command)))
             (list :check "emacs" :status "pass" :says "The plug command is there.")
           (list :check "emacs" :status "fail"
                 :says (format "%s isn't on the path of this Emacs." (car plugboard-command))
                 :next "M-x customize-variable RET plugboard-command")))
   (unless (featurep 'gptel)
     (list (list :check "emacs" :status "warn" :says "gptel isn't loaded; tools are registered when it is."
                 :next "M-x gptel")))
   (cl-loop for server in (plugboard-hub-all-servers)
            for id = (plist-get server :id)
            unless (plugboard-hub-enabled-p id)
            collect (list :check "emacs" :status "pass" :server id
                          :says "Not used in Emacs, as `plugboard-enabled-servers' says."))))

(defun plugboard-doctor--run (server)
  "Examine SERVER, or everything."
  (cl-incf plugboard-doctor--running)
  (plugboard-http-request
   "POST" "/v1/doctor" :streams t
   :body (append (list :live (if plugboard-doctor--live t :false))
                 (and server (list :server server)))
   :on-event (lambda (_name row)
               (when (or (null (plugboard-get row :server))
                         (plugboard-hub-enabled-p (plist-get row :server)))
                 (setq plugboard-doctor--rows (append plugboard-doctor--rows (list row)))
                 (plugboard-doctor--print)))
   :on-done (lambda (_value problem)
              (when problem
                (setq plugboard-doctor--rows
                      (append plugboard-doctor--rows
                              (list (list :check "hub" :status "fail"
                                          :says (plugboard-get problem :message)
                                          :next (plugboard-get problem :next)
                                          :remedy (plugboard-get problem :remedy))))))
              (cl-decf plugboard-doctor--running)
              (plugboard-doctor--print)
              (run-hooks 'plugboard-doctor-done-hook))))

(defun plugboard-doctor--print ()
  "Fill the buffer with the rows and return it."
  (with-current-buffer (get-buffer-create plugboard-doctor--buffer)
    (unless (derived-mode-p 'plugboard-doctor-mode) (plugboard-doctor-mode))
    (let ((inhibit-read-only t) (line (line-number-at-pos)))
      (erase-buffer)
      (insert (propertize (if plugboard-doctor--live "Doctor (live)" "Doctor") 'face 'bold)
              "  " (plugboard-doctor--summary)
              (if (> plugboard-doctor--running 0) ", running…" "")
              "\nc copy · r rerun failed · RET next step · q quit\n\n")
      (dolist (row (plugboard-doctor--sorted))
        (insert (propertize (plugboard-doctor--line row) 'plugboard-row row
                            'face (pcase (plist-get row :status)
                                    ("fail" 'error) ("warn" 'warning) ("skip" 'shadow)
                                    (_ 'default)))
                "\n"))
      (goto-char (point-min))
      (forward-line (1- line)))
    (current-buffer)))

(defun plugboard-doctor--with (status)
  "Return the rows with STATUS."
  (seq-filter (lambda (row) (equal (plist-get row :status) status)) plugboard-doctor--rows))

(defun plugboard-doctor--summary ()
  "Return how many rows failed, warn and passed."
  (format "%d failed, %d warnings, %d passed" (length (plugboard-doctor--with "fail"))
          (length (plugboard-doctor--with "warn")) (length (plugboard-doctor--with "pass"))))

(defun plugboard-doctor--sorted ()
  "Return the rows, what failed and what warns on top."
  (let ((on-top (append (plugboard-doctor--with "fail") (plugboard-doctor--with "warn"))))
    (append on-top (seq-remove (lambda (row) (memq row on-top)) plugboard-doctor--rows))))

(defun plugboard-doctor--line (row)
  "Return ROW as one line: status, check, what was found, recovery."
  (let ((next (plugboard-remedy-text row)))
    (format "%-4s  %-28s  %s%s" (upcase (or (plugboard-get row :status) ""))
            (string-join (delq nil (list (plugboard-get row :server) (plugboard-get row :check))) ": ")
            (plugboard-visible-line (plugboard-get row :says))
            (if (string-empty-p next) "" (format "  → %s" next)))))

(defun plugboard-doctor-copy ()
  "Copy a summary of what was found."
  (interactive)
  (kill-new (mapconcat #'plugboard-doctor--line (plugboard-doctor--sorted) "\n"))
  (message "Plugboard: copied %d rows" (length plugboard-doctor--rows)))

(defun plugboard-doctor-rerun ()
  "Run again what failed, and nothing else."
  (interactive)
  (let* ((failed (plugboard-doctor--with "fail"))
         (servers (delete-dups (delq nil (mapcar (lambda (row) (plugboard-get row :server)) failed))))
         (general (seq-some (lambda (row) (null (plugboard-get row :server))) failed)))
    (cond
     ((null failed) (message "Plugboard: no check failed"))
     (general (plugboard-doctor plugboard-doctor--live))
     (t (setq plugboard-doctor--rows
              (seq-remove (lambda (row) (member (plugboard-get row :server) servers))
                          plugboard-doctor--rows))
        (mapc #'plugboard-doctor--run servers)))))

(defun plugboard-doctor-fix ()
  "Do the next step of the row at point."
  (interactive)
  (let ((row (or (get-text-property (point) 'plugboard-row) (user-error "No row here"))))
    (if-let ((fix (plugboard-get row :fix :id)))
        (when (or noninteractive (y-or-n-p (format "%s? " (plugboard-get row :fix :says))))
          (plugboard-hub-do "POST" "/v1/doctor/fix" (list :fixes (vector fix))
                            (lambda (_) (plugboard-doctor plugboard-doctor--live))))
      (plugboard-remedy-run row))))

(provide 'plugboard-doctor)
;;; plugboard-doctor.el ends here
