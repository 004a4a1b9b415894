"""Learners: what plays better after training than before."""
