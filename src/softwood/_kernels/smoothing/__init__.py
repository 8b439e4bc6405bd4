"""What the trees of a forest answer under many sizes of a perturbation at once."""
