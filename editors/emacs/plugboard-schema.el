;;; plugboard-schema.el --- Arguments by their JSON schema  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; gptel describes arguments as a list of plists and hands over values in
;; that order, with nil for whatever the model left out.  This file turns a
;; tool's JSON schema into that list, and values back into an object.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'plugboard-address)

(defconst plugboard-schema--depth-max 12
  "How deep references inside a schema are followed.")

(defun plugboard-schema-args (schema)
  "Return the arguments in SCHEMA, the parameters of a tool, for gptel.
Required ones come first, as gptel shows them in order."
  (let* ((required (plugboard-each (plugboard-get schema :required)))
         (args (cl-loop for (key property) on (plugboard-get schema :properties) by #'cddr
                        for name = (substring (symbol-name key) 1)
                        collect (plugboard-schema--arg name property schema
                                                       (member name required)))))
    (append (seq-remove (lambda (arg) (plist-get arg :optional)) args)
            (seq-filter (lambda (arg) (plist-get arg :optional)) args))))

(defun plugboard-schema--arg (name property schema required)
  "Return the argument NAME for gptel, described by PROPERTY of SCHEMA.
REQUIRED is non-nil if it must be given."
  (let* ((plain (plugboard-schema--plain property schema 0))
         (type (plist-get plain :type)))
    (append
     (list :name name
           :description (or (plugboard-get plain :description) ""))
     (cond
      ;; gptel closes objects; one without fields of its own must stay open.
      ((and (equal type "object") (null (plugboard-get plain :properties)))
       (list :anyOf (vector (plugboard-schema--without plain :description))))
      ((stringp type) (list :type type))
      ((or (plist-get plain :anyOf) (plist-get plain :oneOf) (plist-get plain :enum) (vectorp type))
       (and type (list :type type)))
      (t (list :anyOf (vconcat (mapcar (lambda (each) (list :type each))
                                       '("string" "number" "boolean" "array" "object"))))))
     (unless (and (equal type "object") (null (plugboard-get plain :properties)))
       (plugboard-schema--without plain :description :type :name :optional))
     (unless required (list :optional t)))))

(defun plugboard-schema--without (plist &rest keys)
  "Return PLIST without KEYS."
  (cl-loop for (key value) on plist by #'cddr
           unless (memq key keys) append (list key value)))

(defun plugboard-schema--plain (value root depth)
  "Return VALUE with references into ROOT put in place, DEPTH levels down.
JSON's false is written as gptel writes it."
  (cond
   ((eq value :false) :json-false)
   ((vectorp value)
    (vconcat (mapcar (lambda (each) (plugboard-schema--plain each root (1+ depth))) value)))
   ((not (and (consp value) (keywordp (car value)))) value)
   ((plist-get value :$ref)
    (let ((target (plugboard-schema--target (plist-get value :$ref) root)))
      (if (and target (< depth plugboard-schema--depth-max))
          (plugboard-schema--plain (append (plugboard-schema--without value :$ref) target) root
                                   (1+ depth))
        (list :description (or (plugboard-get value :description) "")))))
   (t (cl-loop for (key each) on value by #'cddr
               unless (memq key '(:$schema :$defs :definitions))
               append (list key (plugboard-schema--plain each root (1+ depth)))))))

(defun plugboard-schema--target (reference root)
  "Return what REFERENCE, such as \"#/$defs/x\", means in ROOT, or nil."
  (when (and (stringp reference) (string-prefix-p "#/" reference))
    (apply #'plugboard-get root
           (mapcar (lambda (part)
                     (intern (concat ":" (string-replace "~0" "~" (string-replace "~1" "/" part)))))
                   (split-string (substring reference 2) "/")))))

(defun plugboard-schema-object (args values)
  "Return VALUES, in the order of ARGS, as an object for the hub.
What the model left out stays out."
  (cl-loop for arg in args
           for value = (pop values)
           for shown = (plugboard-schema--value arg value)
           unless (eq shown 'absent)
           append (list (intern (concat ":" (plist-get arg :name))) shown)))

(defun plugboard-schema--value (arg value)
  "Return VALUE for ARG as JSON, or the symbol `absent'.
gptel has nil for an empty object, for null and for what was left out."
  (cond
   (value (plugboard-schema-exact value))
   ((plist-get arg :optional) 'absent)
   ((or (equal (plist-get arg :type) "object")
        (and (plist-get arg :anyOf) (null (plist-get arg :type))))
    nil)
   ((equal (plist-get arg :type) "array") [])
   ((equal (plist-get arg :type) "boolean") :false)
   ((equal (plist-get arg :type) "null") :null)
   (t 'absent)))

(defun plugboard-schema-exact (value)
  "Return VALUE, as gptel has parsed it, as `plugboard-json' takes it."
  (cond
   ((memq value '(:json-false :false)) :false)
   ((vectorp value) (vconcat (mapcar #'plugboard-schema-exact value)))
   ((and (consp value) (keywordp (car value)))
    (cl-loop for (key each) on value by #'cddr
             append (list key (plugboard-schema-exact each))))
   ((consp value) (vconcat (mapcar #'plugboard-schema-exact value)))
   ((and value (symbolp value) (not (memq value '(t :null)))) (symbol-name value))
   (t value)))

(provide 'plugboard-schema)
;;; plugboard-schema.el ends here
