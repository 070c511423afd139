"""The events in their order, as pages and as they come."""

from fastapi import APIRouter

router = APIRouter(prefix="/v1", tags=["feed"])
